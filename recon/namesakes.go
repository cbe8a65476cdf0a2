package recon

import "slices"

const wordsNeeded = 2 // one word in common may be TRANSFER

// wordIndex finds the lines of a pool by the words of their texts.
type wordIndex struct {
	lines map[string][]position // by day
	words map[position][]string // of each line, in order
}

// namesakes gives the lines of the open window whose text agrees with the target's: they name the same customer or supplier. At least two words,
// and half of those of the shorter text, must be the same.
func (s *sums) namesakes(target position) falling {
	if s.words[s.at] == nil {
		s.words[s.at] = s.index(s.at)
	}
	index := s.words[s.at]
	mine := words(s.m.item(target).Text)
	var lists [][]position
	for _, word := range mine {
		lines := index.lines[word]
		if from, to := s.within(lines, s.day); from < to {
			lists = append(lists, lines[from:to])
		}
	}
	slices.SortFunc(lists, func(a, b []position) int { return len(a) - len(b) })
	lists = lists[:max(0, len(lists)-wordsNeeded+1)] // what shares two words is on one of the shorter lists
	var found []position
	for _, list := range lists {
		if len(list) <= commonWord {
			found = append(found, list...)
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return s.falling(slices.DeleteFunc(found, func(p position) bool {
		common, shorter := commonWords(mine, index.words[p])
		return common < wordsNeeded || 2*common < shorter
	}))
}

func (s *sums) index(key poolKey) *wordIndex {
	index := &wordIndex{map[string][]position{}, map[position][]string{}}
	for _, p := range s.pools[key] {
		index.words[p] = words(s.m.item(p).Text)
		for _, word := range index.words[p] {
			index.lines[word] = append(index.lines[word], p)
		}
	}
	return index
}
