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
sausis vasaris kovas balandis geguze birzelis liepa rugpjutis rugsejis spalis lapkritis gruodis
sausio vasario kovo balandzio geguzes birzelio liepos rugpjucio rugsejo spalio lapkricio gruodzio
tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta
januara februara marca aprila maja juna jula augusta septembra oktobra novembra decembra
sijecanj veljaca ozujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac
sijecnja veljace ozujka travnja svibnja lipnja srpnja kolovoza rujna listopada studenoga prosinca
gener febrer marc abril maig juny juliol agost setembre octubre novembre desembre
januar februar mars april mai juni juli agust september oktober november desember
januari februari maret april mei juni juli agustus september oktober november desember
ιανουαριος φεβρουαριος μαρτιος απριλιος μαιος ιουνιος ιουλιος αυγουστος σεπτεμβριος οκτωβριος νοεμβριος δεκεμβριος
ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου σεπτεμβριου οκτωβριου νοεμβριου δεκεμβριου
январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
января февраля марта апреля мая июня июля августа сентября октября ноября декабря
січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень
січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
януари февруари март април май юни юли август септември октомври ноември декември
มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม
ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר
يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر`

var months = sync.OnceValue(func() map[string]int {
	known := map[string]int{}
	add := func(name string, month int) {
		if _, taken := known[name]; !taken {
			known[name] = month
		}
	}
	add("mrt", 3) // Dutch
	lines := strings.Split(monthNames, "\n")
	for _, line := range lines {
		for i, name := range strings.Fields(line) {
			add(fold(name), i+1)
		}
	}
	for _, line := range lines {
		for i, name := range strings.Fields(line) {
			letters := []rune(fold(name))
			for size := 3; size <= 5 && size < len(letters); size++ {
				add(string(letters[:size]), i+1)
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
