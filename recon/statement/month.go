package statement

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// monthNames are the months in the languages of the banks we met, English first: where an abbreviation is a month in one
// language and another month in another ("mar" is March, and the beginning of a Finnish November), the earlier language has it.
const monthNames = `january february march april may june july august september october november december
januar februar marz april mai juni juli august september oktober november dezember
januari februari maart april mei juni juli augustus september oktober november december
janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november desember
styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien
stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia
leden unor brezen duben kveten cerven cervenec srpen zari rijen listopad prosinec
ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince
januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december
tammikuu helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu marraskuu joulukuu
ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
jaanuar veebruar marts aprill mai juuni juuli august september oktoober november detsember
janvaris februaris marts aprilis maijs junijs julijs augusts septembris oktobris novembris decembris
sausis vasaris kovas balandis geguze birzelis liepa rugpjutis rugsejis spalis lapkritis gruodis`

var months = sync.OnceValue(func() map[string]int {
	known := map[string]int{}
	add := func(name string, month int) {
		if _, taken := known[name]; !taken {
			known[name] = month
		}
	}
	lines := strings.Split(monthNames, "\n")
	for _, line := range lines {
		for i, name := range strings.Fields(line) {
			add(name, i+1)
		}
	}
	for _, line := range lines {
		for i, name := range strings.Fields(line) {
			for size := 3; size <= 5 && size < len(name); size++ {
				add(name[:size], i+1)
			}
		}
	}
	return known
})

// monthNamed gives the month of a name or its abbreviation, 0 for any other word.
func monthNamed(word string) int {
	if utf8.RuneCountInString(word) < 3 {
		return 0
	}
	return months()[fold(word)]
}
