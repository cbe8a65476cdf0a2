package statement

import (
	"strings"
	"sync"
)

// Words that banks put into cells, folded. The sets are made once and never changed.
var (
	debitWords = sync.OnceValue(func() map[string]bool {
		return phrases("d|dr|dt|db|deb|debit|dbit|debits|s|soll|lastschrift|af|bij/af|uit|out|ausgang|ausgabe|belastung|debet|ut|uttag|utgående|débit|débito|cargo|cargos|addebito|dare|uscita|uscite|saída|obciążenie|wn|wydatek|odchozí|výdaj|terhelés|t|deebet|debetas|borç|b|-|withdrawal|expense|出金|支出|출금|支付|paid out|money out|outgoing|sortie|egreso|χ|расход|списание")
	})
	creditWords = sync.OnceValue(func() map[string]bool {
		return phrases("c|cr|k|ct|kt|cred|credit|crdt|credits|h|haben|gutschrift|bij|in|eingang|einnahme|kredit|inn|insättning|ingående|crédit|crédito|abono|abonos|accredito|avere|entrata|entrate|entrada|uznanie|ma|wpływ|příchozí|příjem|jóváírás|j|kreedit|kreditas|alacak|a|+|deposit|income|入金|収入|收入|입금|存入|paid in|money in|incoming|entrée|ingreso|π|приход|зачисление")
	})
	pendingWords = sync.OnceValue(func() map[string]bool {
		return phrases("pending|pdng|open|opened|pending transactions|authorised transactions|authorized transactions|outstanding transactions|vorgemerkte umsätze|vorgemerkte buchungen|ausstehende umsätze|opérations en attente|opérations à venir|operaciones pendientes|movimenti non contabilizzati|reserverade transaktioner|reserverte transaksjoner|niet verwerkt|nezaúčtované|gereserveerde transacties|venter|afventer|umsatz vorgemerkt|umsatz vorgemerkt und nicht gebucht|pend|vorgemerkt|vorgemerkte|offen|ausstehend|in bearbeitung|gereserveerd|in behandeling|reserved|reserviert|reservert|reserverad|reserveret|reserverat|preliminär|preliminart|väntar|authorised|authorized|authorisation|authorization|hold|on hold|account hold|uncleared|unsettled|not settled|processing|in progress|scheduled|planned|geplant|gepland|planlagt|upcoming|future|provisional|memo post|awaiting|waiting|en attente|en cours|à venir|pendiente|pendente|en proceso|in sospeso|non contabilizzato|autorizzato|autorizada|retenido|oczekująca|oczekujące|w trakcie|w realizacji|blokada|čekající|čeká|függő|függőben|zárolás|varattu|varaus|odottaa|reserveeritud|rezervuota|rezervēts|beklemede|provizyon|în așteptare|未確定|保留|处理中|승인|保留中|申込中|pending transaction|requested")
	})
	failedWords = sync.OnceValue(func() map[string]bool {
		return phrases("reverted|failed|fail|failure|declined|denied|cancelled|canceled|cancel|cncl|rejected|rjct|refused|expired|voided|void|error|returned unpaid|not completed|incomplete|storniert|abgelehnt|fehlgeschlagen|abgebrochen|geannuleerd|geweigerd|mislukt|afgewezen|avvisad|misslyckad|nekad|avbruten|avvist|mislyktes|annulé|annulée|refusé|refusée|rejeté|échoué|cancelado|cancelada|rechazado|rechazada|denegada|fallido|anulado|anulada|recusado|recusada|annullato|rifiutato|stornato|respinto|odrzucona|odrzucone|anulowana|anulowano|zamítnuto|zrušeno|elutasítva|sikertelen|hylätty|peruttu|tagasi lükatud|atmesta|iptal|reddedildi|removed|blocked|abandoned|失敗|取消|キャンセル|失败|已取消|已关闭|交易关闭|취소|unsuccessful|stopped")
	})
	bookedWords = sync.OnceValue(func() map[string]bool {
		return phrases("booked|book|gebucht|ok|accepted|accepté|acceptée|geaccepteerd|akzeptiert|已支出|已收入|posted transactions|booked transactions|gebuchte umsätze|completed transactions|paid out|已存入|已存入零钱|已收钱|已转账|对方已收钱|umsatz gebucht|verbucht|posted|completed|complete|settled|cleared|success|successful|succeeded|paid|done|executed|final|finalised|finalized|processed|confirmed|approved|reconciled|ausgeführt|abgeschlossen|erledigt|geboekt|verwerkt|uitgevoerd|voltooid|bokförd|bokfört|genomförd|bokført|gjennomført|bogført|udført|comptabilisé|exécuté|effectué|terminé|contabilizado|contabilizada|realizado|completado|completada|concluído|concluída|efetuado|contabilizzato|contabilizzata|eseguito|eseguita|completato|zaksięgowana|zaksięgowano|rozliczona|zrealizowana|wykonana|zaúčtováno|provedeno|könyvelt|teljesült|könyvelve|kirjattu|valmis|sooritatud|įvykdyta|izpildīts|gerçekleşti|tamamlandı|efectuat|refunded|partially refunded|reversed|returned|完了|確定|済|交易成功|支付成功|已完成|완료|정상")
	})
	memoWords = sync.OnceValue(func() map[string]bool {
		return phrases("memo|memo only|memorandum|notiz|nur notiz")
	})
	infoWords = sync.OnceValue(func() map[string]bool {
		return phrases("info|information|information only|info only|informational|nur information|zur information|preview|simulation")
	})
)

// directionOf reads a word as debit ('D') or credit ('C'), 0 for any other.
func directionOf(cell string) byte {
	if len(cell) > 40 {
		return 0
	}
	folded := fold(cell)
	switch {
	case debitWords()[folded]:
		return 'D'
	case creditWords()[folded]:
		return 'C'
	}
	return 0
}

// statusReason gives the reason a status keeps a row out of the books, "" for a booked one. known is false for a word we have not met.
func statusReason(status string) (reason Reason, known bool) {
	folded := fold(status)
	switch {
	case folded == "" || bookedWords()[folded]:
		return "", true
	case pendingWords()[folded]:
		return ReasonPending, true
	case failedWords()[folded]:
		return ReasonNotCompleted, true
	case memoWords()[folded]:
		return ReasonMemoOnly, true
	case infoWords()[folded]:
		return ReasonInfoOnly, true
	}
	return "", false
}

// balanceKind is what a row says that is no movement.
type balanceKind uint8

const (
	noBalance balanceKind = iota
	openingBalance
	closingBalance
	someBalance  // of now, or of a day
	otherBalance // available, credit line: never the account's
	total        // certainly a total
	maybeTotal   // a total, unless it is the name of a shop
)

var balancePhrases = sync.OnceValue(func() map[string]balanceKind {
	known := map[string]balanceKind{}
	for kind, list := range map[balanceKind]string{
		openingBalance: "opening balance|openingbalance|beginning balance|starting balance|start balance|previous balance|balance brought forward|brought forward|balance b/f|balance forward|opening ledger balance|opening booked balance|old balance|initial balance|anfangssaldo|anfangsbestand|alter kontostand|alter saldo|saldovortrag|startsaldo|beginsaldo|vorig saldo|openingssaldo|begin saldo|ingående saldo|ingående balans|inngående saldo|startsaldo|primosaldo|alkusaldo|solde initial|solde précédent|ancien solde|solde de départ|saldo inicial|saldo anterior|saldo iniziale|saldo precedente|saldo początkowe|saldo poprzednie|počáteční zůstatek|nyitó egyenleg|nyitóegyenleg|likutis pradžiai|pradinis likutis|sākuma atlikums|atlikums sākumā|algsaldo|algjääk|açılış bakiyesi|devreden bakiye|devir|sold inițial|αρχικό υπόλοιπο|входящий остаток|前期繰越|前月繰越|繰越|繰越残高|期初余额|上期余额|전월이월|이월",
		closingBalance: "closing balance|closingbalance|ending balance|end balance|final balance|balance carried forward|carried forward|balance c/f|closing ledger balance|closing booked balance|statement balance|endsaldo|endbestand|neuer kontostand|neuer saldo|schlusssaldo|abschlusssaldo|nieuw saldo|eind saldo|eindsaldo|slotsaldo|utgående saldo|utgående balans|slutsaldo|sluttsaldo|ultimosaldo|loppusaldo|solde final|nouveau solde|solde de clôture|saldo final|saldo nuevo|saldo finale|nuovo saldo|saldo końcowe|konečný zůstatek|záró egyenleg|záróegyenleg|likutis pabaigai|galutinis likutis|beigu atlikums|atlikums beigās|lõppsaldo|lõppjääk|kapanış bakiyesi|sold final|τελικό υπόλοιπο|исходящий остаток|次期繰越|期末余额|본기말잔액",
		someBalance:    "balance|laatste saldo|letzter kontostand|kontostand am|saldo per|dernier solde|ultimo saldo|último saldo|saldo del giorno|saldo do dia|daily balance|end of day balance|day end balance|solde (euros)|solde en euros|new balance|account balance|current balance|ledger balance|book balance|booked balance|saldo|kontostand|aktueller kontostand|aktueller saldo|huidig saldo|bokfört saldo|bokført saldo|bogført saldo|solde|solde comptable|solde actuel|saldo contable|saldo actual|saldo contabile|saldo attuale|saldo contabilístico|saldo atual|saldo bieżące|saldo rachunku|stan konta|zůstatek|aktuální zůstatek|egyenleg|könyvelt egyenleg|likutis|atlikums|jääk|bakiye|güncel bakiye|sold|sold curent|υπόλοιπο|остаток|残高|余额|잔액",
		otherBalance:   "available balance|available funds|available|verfügbarer betrag|verfügbar|verfügbarer saldo|beschikbaar saldo|beschikbaar|tillgängligt belopp|disponibelt|solde disponible|disponible|saldo disponible|saldo disponibile|saldo disponível|dostępne środki|saldo dostępne|credit limit|kreditrahmen|overdraft limit|dispositionskredit|limite|pending balance",
		total:          "turnover|turnovers|total debits|total credits|total debit|total credit|total withdrawals|total deposits|total amount|total transactions|totals for the period|total for the period|number of transactions|subtotal|sub total|sub-total|grand total|page total|totals for period|umsatzsumme|gesamtsumme|zwischensumme|summe soll|summe haben|summe der umsätze|totaal af|totaal bij|subtotaal|eindtotaal|total des opérations|total débit|total crédit|totale addebiti|totale accrediti|totale movimenti|apyvarta|debeto apyvarta|kredito apyvarta|apgrozījums|käive|suma obciążeń|suma uznań|obroty|obrat|obraty|forgalom|összesen|合計|合计|小計|小计|합계|итого|обороты",
		maybeTotal:     "total|totals|sum|summe|gesamt|totaal|totale|totali|suma|summa|sum total|somme|totaux|totales|soma|razem|celkem|total general|yhteensä|i alt|sammanlagt|toplam|kokku|viso|kopā",
	} {
		for phrase := range phrases(list) {
			if _, taken := known[phrase]; !taken || kind != someBalance {
				known[phrase] = kind
			}
		}
	}
	return known
})

// balanceOf reads a cell as the name of a balance or a total, also with a day or a currency behind it: "Kontostand vom 31.03.2026:".
func balanceOf(cell string) balanceKind {
	if len(cell) > 80 {
		return noBalance
	}
	folded := fold(cell)
	if kind := balancePhrases()[folded]; kind != noBalance {
		return kind
	}
	first, _, several := strings.Cut(folded, " ")
	if strings.HasPrefix(folded, "total for ") || strings.HasPrefix(folded, "totals for ") {
		return total
	}
	if !several || !balanceStarts()[first] { // nearly every text of nearly every row
		return noBalance
	}
	tokens := strings.Fields(folded)
	for n := min(len(tokens), 5); n > 0; n-- {
		if kind := balancePhrases()[strings.Join(tokens[:n], " ")]; kind != noBalance && onlyWhen(tokens[n:]) {
			return kind
		}
	}
	return noBalance
}

// balanceStarts are the first words of the phrases.
var balanceStarts = sync.OnceValue(func() map[string]bool {
	starts := map[string]bool{}
	for phrase := range balancePhrases() {
		first, _, _ := strings.Cut(phrase, " ")
		starts[first] = true
	}
	return starts
})

var whenWords = sync.OnceValue(func() map[string]bool {
	return phrases("as|of|on|at|per|pr|vom|am|zum|der|den|dem|d|op|au|du|al|del|a|na|dn|dzien|ke|dne|as at|for|the|period|date|from|to|le|il|em|la|data|ze|z|um|uhr|iban|konto|account|seisuga|uz|in")
})

// onlyWhen reports whether nothing but a day, a time or a currency is left of a text.
func onlyWhen(tokens []string) bool {
	for _, token := range tokens {
		if !whenWords()[token] && monthNamed(token) == 0 && !isCurrencyToken(token) && strings.Trim(token, "0123456789") != "" {
			return false
		}
	}
	return true
}
