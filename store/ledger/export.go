package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// VerifyExport follows an export line by line and holds it against the seal of a book, which is the head that somebody kept: numbers,
// sums, chain, links, and the entry of the seal. Entries after the seal are held against the chain alone. It reads the export once for
// the chain, and once more up to the last entry that is reversed; it needs memory for a line and for each reversal, whatever the length.
// It gives the end of the journal that holds. A fault is an answer; an error is of reading.
func VerifyExport(export io.ReadSeeker, book string, seal Head) (Head, *ChainFault, error) {
	v := exportVerifier{book: book, seal: seal, follower: Follower{End: Head{Hash: GenesisHash}}, reversals: map[int64][]reversalSeen{}, replaced: map[int64]int64{}}
	if seal.Seq == 0 && seal.Hash != GenesisHash {
		return v.follower.End, &ChainFault{What: "the seal is of no entry, and its hash is not the one that every book begins with"}, nil
	}
	if err := v.follow(newLines(export)); err != nil {
		return Head{}, nil, err
	}
	if v.fault == nil && v.follower.End.Seq < seal.Seq {
		v.note(v.follower.End.Seq+1, "is missing: the seal is of entry %d", seal.Seq)
	}
	if len(v.reversals) > 0 {
		if _, err := export.Seek(0, io.SeekStart); err != nil {
			return Head{}, nil, fmt.Errorf("read the export again: %w", err)
		}
		if err := v.compareReversals(newLines(export)); err != nil {
			return Head{}, nil, err
		}
	}
	return v.follower.End, v.fault, nil
}

type exportVerifier struct {
	book      string
	seal      Head
	follower  Follower
	reversals map[int64][]reversalSeen // by the entry that is reversed
	replaced  map[int64]int64          // by the entry that is replaced: the one that does
	fault     *ChainFault
}

// reversalSeen is an entry that reverses another; opposite is the digest that the postings of the other one must have.
type reversalSeen struct {
	seq      int64
	part     int
	opposite Hash
}

// note keeps a fault that comes before the one known; of two in the same entry the one that was found first.
func (v *exportVerifier) note(seq int64, format string, args ...any) {
	if v.fault == nil || seq < v.fault.Seq {
		v.fault = &ChainFault{Seq: seq, What: fmt.Sprintf(format, args...)}
	}
}

// follow reads the export to its end or the first fault of the chain.
func (v *exportVerifier) follow(lines *lines) error {
	for {
		text, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLongLine):
			v.note(v.follower.End.Seq+1, "line %d is longer than any record", lines.number)
			return nil
		case err != nil:
			return fmt.Errorf("read the export: %w", err)
		}
		record, err := ParseLine(text)
		if err != nil {
			v.note(v.follower.End.Seq+1, "line %d cannot be read: %s", lines.number, messageOf(err))
			return nil
		}
		if fault := v.take(&record); fault != nil {
			v.note(fault.Seq, "%s", fault.What)
			return nil
		}
	}
}

func messageOf(err error) string {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.Message
	}
	return err.Error()
}

func (v *exportVerifier) take(r *Record) *ChainFault {
	if r.Book != v.book {
		return &ChainFault{Seq: v.follower.End.Seq + 1, What: fmt.Sprintf("is of book %q, and the seal of %q", r.Book, v.book)}
	}
	if fault := v.follower.Follow(r); fault != nil {
		return fault
	}
	v.link(r)
	switch {
	case r.Seq == v.seal.Seq && r.Hash != v.seal.Hash:
		return &ChainFault{Seq: r.Seq, What: "the seal has another hash: this entry, or one before it, is not what was sealed"}
	case r.Seq == v.seal.Seq && !r.RecordedAt.Equal(v.seal.RecordedAt):
		return &ChainFault{Seq: r.Seq, What: "the seal has another time"}
	}
	return nil
}

// link remembers what a record links to, and finds what is linked to twice.
func (v *exportVerifier) link(r *Record) {
	if r.Replaces != 0 {
		if by, twice := v.replaced[r.Replaces]; twice {
			v.note(r.Seq, "replaces entry %d, which entry %d had replaced already", r.Replaces, by)
		}
		v.replaced[r.Replaces] = r.Seq
	}
	if r.Reverses == 0 {
		return
	}
	for _, earlier := range v.reversals[r.Reverses] {
		if earlier.part == 0 || r.Part == 0 || earlier.part == r.Part {
			v.note(r.Seq, "reverses entry %d, which entry %d had reversed already", r.Reverses, earlier.seq)
		}
	}
	v.reversals[r.Reverses] = append(v.reversals[r.Reverses], reversalSeen{seq: r.Seq, part: r.Part, opposite: digest(r.Postings, -1)})
}

// compareReversals reads again the entries that were reversed. The chain has shown that line n is entry n.
func (v *exportVerifier) compareReversals(lines *lines) error {
	left := len(v.reversals)
	for seq := int64(1); left > 0 && seq <= v.follower.End.Seq; seq++ {
		text, err := lines.next()
		if err != nil {
			return fmt.Errorf("read the export again: %w", err)
		}
		reversals := v.reversals[seq]
		if reversals == nil {
			continue
		}
		left--
		record, err := ParseLine(text)
		if err != nil || record.Seq != seq {
			return fmt.Errorf("the export was changed while it was read: see line %d", lines.number)
		}
		for _, reversal := range reversals {
			switch {
			case record.Kind == Reversal:
				v.note(reversal.seq, "reverses entry %d, which is itself a reversal", seq)
			case reversal.part == 0 && reversal.opposite != digest(record.Postings, 1):
				v.note(reversal.seq, "is not the opposite of entry %d, which it reverses", seq)
			}
		}
	}
	return nil
}

// digest identifies postings with their amounts times sign, in their order.
func digest(postings []Posting, sign int64) Hash {
	turned := make([]Posting, len(postings))
	for i, p := range postings {
		turned[i] = Posting{Account: p.Account, AmountMinor: sign * p.AmountMinor, Currency: p.Currency}
	}
	return Entry{Postings: turned}.Fingerprint()
}

// maxLineBytes is more than a record of MaxPostings lines has, with as much metadata as there may be, each character escaped.
const maxLineBytes = 8 << 20

var errLongLine = errors.New("the line is too long")

// lines reads a text line by line, whatever ends a line; lines without text do not count but in number, and a mark of the byte order is
// none.
type lines struct {
	reader *bufio.Reader
	buffer []byte
	number int
}

func newLines(r io.Reader) *lines { return &lines{reader: bufio.NewReaderSize(r, 1<<16)} }

// next gives the next line that has text, until it is called again. Errors: io.EOF, errLongLine, those of reading.
func (l *lines) next() ([]byte, error) {
	for {
		text, err := l.read()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if text = bytes.Trim(text, " \t\r\n"); len(text) > 0 {
			return text, nil
		}
		if err != nil {
			return nil, io.EOF
		}
	}
}

func (l *lines) read() ([]byte, error) {
	l.number++
	l.buffer = l.buffer[:0]
	for {
		part, err := l.reader.ReadSlice('\n')
		l.buffer = append(l.buffer, part...)
		switch {
		case len(l.buffer) > maxLineBytes:
			return nil, errLongLine
		case !errors.Is(err, bufio.ErrBufferFull):
			if l.number == 1 {
				l.buffer = bytes.TrimPrefix(l.buffer, []byte("\ufeff"))
			}
			return l.buffer, err
		}
	}
}
