package statement

import "strings"

// locale is what a language and region say about numbers and dates. It answers where the file leaves something open.
type locale struct {
	decimal byte
	order   order // of a date that is not year first
}

const (
	pointLanguages = "en ja zh ko th he hi ms fil"
	commaLanguages = "af be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr sv tr uk vi"
)

func (t *told) takeLocale(value string) error {
	language, region, _ := strings.Cut(strings.ReplaceAll(value, "_", "-"), "-")
	language, region = strings.ToLower(language), strings.ToUpper(region)
	l := &locale{order: dayFirst}
	switch {
	case hasWord(pointLanguages, language):
		l.decimal = '.'
	case hasWord(commaLanguages, language):
		l.decimal = ','
	default:
		return badHint("locale", "%q is not a locale that is known here, such as sv-SE", value)
	}
	switch {
	case region == "CH" || region == "LI" || language == "es" && hasWord("MX US PR GT HN NI PA PE SV DO", region):
		l.decimal = '.'
	case language == "en" && region == "ZA":
		l.decimal = ','
	}
	if hasWord("US PH PR GU", region) {
		l.order = monthFirst
	} else if language == "en" && (region == "" || region == "CA") {
		l.order = orderNone // both are written
	}
	t.locale = l
	return nil
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
