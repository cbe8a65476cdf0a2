package statement

import (
	"strings"
	"sync"
	"unicode"
)

// role is what a column means.
type role int

const (
	roleNone role = iota
	roleDate
	roleValueDate
	roleAmount
	roleDebit
	roleCredit
	roleBalance
	roleFee
	roleCurrency
	roleStatus
	roleDirection
	roleText
	roleParty
	rolePayer
	rolePayee
	roleReference
	roleBankID
	roleAccount
	roleMaybeAccount // named as the own account or as the other party's, the content decides
	roleForeign      // an amount or a currency that is not the account's
	roleCount
)

var roleNames = [roleCount]string{"", "date", "value_date", "amount", "debit", "credit", "balance", "fee", "currency", "status",
	"direction", "description", "counterparty", "payer", "payee", "reference", "bank_id", "account", "", ""}

// headerWords are the names banks give to their columns, for each role the surest first. A column that says when the bank
// booked comes before one that says when the card was used; what moves the balance (net) before what does not (gross).
var headerWords = []struct {
	role  role
	words string
}{
	{roleDate, `ημ/νία κίνησης|ημερομηνία κίνησης|reskontradatum|reskontradato|datum knjiženja|booking date|date booked|booked date|booked at|posting date|post date|posted date|date posted|ημερομηνία συναλλαγής|ημ/νία συναλλαγής|posted on|accounting date|entry date|completed date|completed on|date completed|completion date|settled date|process date|processed date|buchungsdatum|buchungstag|buchungsdatum|buchung|boekdatum|boekingsdatum|transactiedatum|datum boeking|bokforingsdatum|bokföringsdatum|bokföringsdag|bokföringsdag|bokført dato|bokført|bokføringsdato|bogføringsdato|bogført|kirjauspäivä|kirjauspaiva|date de comptabilisation|date comptable|date opération|date d'opération|date operation|date de l'opération|fecha contable|fecha operación|fecha de operación|f. operación|fecha operacion|fecha mov.|fecha movimiento|data contabile|data operazione|data registrazione|data movimento|data mov.|data lançamento|data de lançamento|data księgowania|data operacji|data transakcji|data zaksięgowania|data waluty operacji|datum zaúčtování|datum provedení|datum účtování|zaúčtováno|dátum zaúčtovania|könyvelés dátuma|könyvelési dátum|könyvelés napja|tranzakció dátuma|kande kuupäev|kuupäev|datums|data|datos|data ir laikas|işlem tarihi|muhasebe tarihi|tarih|data tranzacției|data tranzactiei|data procesării|ημερομηνία|ημ/νία|дата|дата операции|дата проводки|дата операції|date|datum|dato|fecha|päivämäärä|dátum|pvm|datum transakce|umsatzdatum|umsatztag|transaction date|trans date|trans. date|tran date|txn date|txn. date|transaktionsdatum|transaksjonsdato|transaktionsdag|verwerkingsdatum|date of transaction|activity date|effective date|date and time|date/time|datetime|date time|timestamp|transaction time|time|created|created utc|created at|created date|created on|creation date|started date|date started|belegdatum|belegtag|日付|取引日|取扱日|お取引日|年月日|取引日付|ご利用日|利用日|入出金日|交易日期|记账日期|交易时间|日期|거래일|거래일자|거래일시|날짜|abschlussdatum|erfassungsdatum|execution date|date d'exécution|datum uplate|datum izvršenja|ngày giao dịch|ngày hạch toán|ngày hiệu lực|tanggal transaksi|tanggal|tarikh|tarikh transaksi|วันที่|วันที่ทำรายการ|วันที่รายการ|תאריך|תאריך פעולה|תאריך רישום|التاريخ|تاريخ|تاريخ العملية|تاريخ المعاملة|dagsetning|bókunardagur|дата платежа|дата валутирања|付款时间|交易创建时间|记账时间|交易时间 交易日期|操作日期|ご利用年月日|お取り引き日|処理日|거래일자시간|datum prometa|datum transakcije|data e transaksionit|data kryerjes|tarehe|op date|date op|dateop|fecha de contabilización|fecha de movimiento|fecha de transacción|data do movimento|data da operação|data balancete|data oper|data di registrazione|data di contabilizzazione|payout date|arrival date|capture date|capture_date|trade date|date utc|completed date utc|date completed utc|transaction completed date|value posting date`},
	{roleValueDate, `value date|val. date|value dt|valuta|valutadatum|wertstellung|wertstellungsdatum|valutadato|rentedatum|rentedato|rentedag|valutadag|date de valeur|date valeur|fecha valor|f. valor|data valuta|data valore|data waluty|data-valor|data valor|datum valuty|valuta datum|értéknap|értéknapja|arvopäivä|data valutei|available on|available on utc|settlement date|起算日|date val|dateval|datum valute|datum valutacije|val date|value dat|תאריך ערך|تاريخ القيمة|تاريخ الاستحقاق|ημ/νία αξίας|ημερομηνία αξίας|gildisdagur|вальор|дата валютування|valørdato|rentedatering|wert|data disponibile|data waluta|datum plačila|interest date|waarde datum|fecha de valor`},
	{roleAmount, `net|net amount|netto|nettobetrag|amount|amount in account currency|account amount|amount (net)|billing amount|transaction amount|booked amount|movement amount|betrag|umsatz|buchungsbetrag|betrag in kontowährung|bedrag|transactiebedrag|belopp|beløp|beløb|summa|summa eur|importe|importe neto|importo|montant|montant de l'opération|monto|monto transacción|movimiento|valor|valor movimento|valor da transação|valoare|kwota|kwota operacji|kwota w walucie rachunku|kwota transakcji|částka|objem|suma|összeg|könyvelt összeg|määrä|tutar|işlem tutarı|quantia|quantité|montante|mutatie|amt|value|total|total amount|sum|ποσό|сумма|сума|сумма операции|金額|取引金額|入出金額|交易金额|金额|발생금액|거래금액|금액|gross|gross amount|brutto|bruttobetrag|сумма платежа|сумма в валюте счета|сума в валюті картки|сума в валюті рахунку|сума операції|iznos|znesek|износ|износ на операцията|upphæð|jumlah|nominal|amaun|số tiền|số tiền giao dịch|จำนวนเงิน|סכום|סכום הפעולה|المبلغ|مبلغ|kwota transakcji (waluta rachunku)|shuma|montant en euros|montant net|importe total|importe movimiento|valor em reais|montante em eur|net total|summa sek|belopp sek|beløp nok|betrag chf|betrag eur|amount eur|movement|net settlement|transaction value|cash amount|記帳金額|记账金额|取引額|ご利用金額|利用金額|거래금액(원)|insättningar/uttag|insättning/uttag|uttag/insättning|settlement amount|částka transakce|částka v měně účtu|částka v kč|txn amount|funds`},
	{roleDebit, `debit|debit amount|debit amt|debits|debit (out)|withdrawal|withdrawals|withdrawal amt.|withdrawal amount|withdrawal amount (inr)|withdrawal (dr)|withdrawal (dr.)|paid out|money out|payments out|out|amount out|spent|charge|charges|outflow|expense|expenses|soll|soll betrag|belastung|belastungen|lastschrift|ausgang|ausgaben|ausgabe|betrag soll|sollbetrag|af|uit|debet|debetbedrag|uitgaven|ut|uttag|ut fra konto|ut av konto|belastat|hævet|udbetaling|utgående|débit|débit euros|debit euros|débits|sortie|dépense|dépenses|retrait|cargo|cargos|cargo (-)|debe|débito|débitos|debito|retiro|retiros|egreso|egresos|gasto|pago|dare|addebiti|addebito|uscite|uscita|saída|saídas|obciążenia|obciążenie|wydatki|kwota obciążenia|wypłaty|výdaj|výdaje|odchozí|terhelés|kiadás|deebet|debetas|debets|borç|çıkan|plăți|χρέωση|расход|списание|дебет|支払い金額|お支払金額|支払金額|出金|出金額|お引出し|お引き出し|引出額|お出し|支出|借方|支出金额|支出金額|찾으신금액|출금|출금액|출금금액|dr|debit (-)|debit(-)|debits (-)|number of withdrawals amount|amount debit|amount dr|dr amount|duguje|isplata|isplate|breme|bremе|odliv|terećenje|дебит|видатки|списано|списання|út|úttekt|gjöld|mutasi debet|pengeluaran|wang keluar|ghi nợ|số tiền ghi nợ|phát sinh nợ|tiền ra|rút|ถอนเงิน|ถอน|เงินออก|รายการหัก|เดบิต|חובה|בחובה|משיכות|مدين|المدين|سحب|المبالغ المدينة|odpływy|obciążenia (pln)|winien|wn|uscite (eur)|addebiti (eur)|belastning|belastet beløp|til gode ut|maksut|otot|pano ut|lastschrift in chf|belastung in chf|belastung chf|belastungsbetrag|abgang|lasten|monto cargo|monto debitado|retiros (-)|salidas|salida|débitos (-)|valor débito|gastos|出账金额|出帳金額|提出|お支払い|お支払い金額|支払|支払い|出金額(円)|お支払金額(円)|지급|지급액|출금(원)|찾으신 금액|交易金额(支出)|记账金额(支出)|funds out|cash out|money out (-)|amount withdrawn|払出金額|払い出し|出金金額|net debit`},
	{roleCredit, `credit|credit amount|credit amt|credits|credit (in)|deposit|deposits|deposit amt.|deposit amount|deposit amount (inr)|deposit (cr)|deposit (cr.)|paid in|money in|payments in|in|amount in|received|inflow|income|haben|haben betrag|gutschrift|gutschriften|eingang|einnahmen|einnahme|betrag haben|habenbetrag|bij|creditbedrag|ontvangsten|inn|inn på konto|insättning|insättningar|kredit|indsat|indbetaling|crédit|crédit euros|credit euros|crédits|entrée|recette|recettes|versement|abono|abonos|abono (+)|haber|crédito|créditos|credito|depósito|depósitos|ingreso|ingresos|avere|accrediti|accredito|entrate|entrata|entradas|uznania|uznanie|wpływy|kwota uznania|wpłaty|příjem|příjmy|příchozí|jóváírás|bevétel|kreedit|kreditas|kredits|alacak|giren|încasări|πίστωση|приход|зачисление|кредит|預かり金額|お預り金額|お預かり金額|入金|入金額|お預入れ|お預け入れ|預入額|お預り|収入|貸方|收入|收入金额|存入金額|맡기신금액|입금|입금액|입금금액|cr|credit (+)|credit(+)|credits (+)|amount credit|amount cr|cr amount|potražuje|uplata|uplate|dobro|priliv|odobrenje|надходження|зараховано|innlegg|innborgun|tekjur|mutasi kredit|pemasukan|wang masuk|ghi có|số tiền ghi có|phát sinh có|tiền vào|gửi|ฝากเงิน|ฝาก|เงินเข้า|รายการรับ|เครดิต|זכות|בזכות|הפקדות|دائن|الدائن|إيداع|المبالغ الدائنة|wpływy (pln)|uznania (pln)|entrate (eur)|accrediti (eur)|godskrevet|tilgodehavende|panot|gutschrift in chf|gutschriftsbetrag|zugang|gunsten|monto abono|monto acreditado|depósitos (+)|valor crédito|ingresos (+)|存款|入账金额|入帳金額|存入|お預入金額|お預り金額(円)|預入|受入|입금(원)|맡기신 금액|입금금액(원)|交易金额(收入)|记账金额(收入)|funds in|cash in|money in (+)|amount deposited|受入金額|入金金額|net credit`},
	{roleBalance, `running balance|running bal.|running bal|balance|account balance|ledger balance|balance after|balance after transaction|balance amount|closing balance|new balance|bal|bal.|saldo|saldo nach buchung|kontostand|kontostand nach buchung|neuer saldo|saldo na mutatie|saldo na trn|saldo na transactie|nieuw saldo|saldo efter|saldo etter|bokfört saldo|bogført saldo|saldo bokført|solde|solde après opération|solde progressif|saldo contable|saldo tras movimiento|saldo posterior|saldo contabile|saldo progressivo|saldo contabilístico|saldo após operação|saldo po operacji|saldo po transakcji|stan konta|zůstatek|zůstatek po operaci|zostatok|egyenleg|könyvelt egyenleg|jääk|likutis|atlikums|bakiye|sold|υπόλοιπο|остаток|баланс|残高|取引後残高|差引残高|差引残高金額|お預り残高|现在余额|余额|账户余额|餘額|결제후잔액|잔액|거래후잔액|available balance|verfügbarer saldo|saldo disponible|saldo disponibile|saldo disponível|disponibelt|statement balance|end balance|ending balance|endsaldo|eindsaldo|guthaben|saldo (eur)|saldo na boeking|stanje|stanje na računu|stanje nakon|салдо|наличност|залишок|залишок після операції|staða|saldo akhir|baki|số dư|số dư cuối|ยอดคงเหลือ|คงเหลือ|יתרה|יתרה בש"ח|الرصيد|رصيد|saldo efter transaktion|balanse|saldo rachunku|solde en euros|solde du compte|saldo en cuenta|saldo actual|saldo atual|saldos|saldo final|kontosaldo|bakiye (tl)|お預かり残高|残高(円)|残額|结余|賬戶結餘|结存|帳戶餘額|账户结余|거래 후 잔액|잔액(원)|accountbalance|balance (gbp)|updated balance|cleared balance|balance c/f|running total|účetní zůstatek po transakci|účetní zůstatek|現在(貸付)高|現在高`},
	{roleFee, `fee|fees|fee amount|transaction fee|total fees|gebühr|gebühren|entgelt|kosten|provision|frais|comisión|comision|commissione|commissioni|taxa|opłata|prowizja|poplatek|avgift|gebyr|díj|手数料|entgelte|комиссия|сума комісій|服务费|комісія|ücret|komisyon|processing fee|fee total|poplatek v měně účtu`},
	{roleCurrency, `currency|currency code|account currency|ccy|curr|curr.|cur|währung|wahrung|kontowährung|buchungswährung|waehrung|munt|muntsoort|valuta|valuta konta|devise|moneda|divisa|valuta conto|moeda|waluta|waluta rachunku|měna|mena|devizanem|összeg devizaneme|pénznem|valuutta|valuuta|valiuta|valūta|para birimi|döviz|monedă|νόμισμα|валюта|通貨|币种|통화|payment currency|billing currency|settlement currency|transaction account currency|amount currency|devise du compte|devies|devisa|mynt|mata uang|loại tiền|สกุลเงิน|מטבע|العملة|عملة|valuta (eur)|валута|валюта операции|валюта платежа|валюта счета|交易币种|记账币种|币别|幣別|currencycode|currency_code|whg|whrg|mutationcode|monnaie|deviza|měna účtu|měna transakce|txn currency|kontovaluta|valuta konto|valuta transakce`},
	{roleStatus, `status|state|transaction status|payment status|booking status|buchungsstatus|umsatzstatus|stato|estado|statut|état|stav|stan|tila|durum|статус|当前状态|交易状态|状態|状态|situação|bokfört/reserverat|status transakcji|stato operazione|stav platby|durumu|статус операции|estado del movimiento|estado movimiento|situazione|status der buchung|booking state|transaction state|payment state|tilanne|статус операції|交易状态 状态`},
	{roleDirection, `d/k|d/c|c/d|dr/cr|cr/dr|dr / cr|cr / dr|drcr|crdr|s/h|soll/haben|soll-haben|debit/credit|credit/debit|debit / credit|debit or credit|credit or debit|debit credit indicator|credit debit indicator|debit/credit indicator|credit/debit indicator|creditdebitindicator|balance impact|auswirkung auf guthaben|af bij|af/bij|bij/af|direction|indicator|cd indicator|dc indicator|debet/kredit|debet kredit|debit/kredit|deb/cred|cargo/abono|dare/avere|sens|signe|signo|segno|sign|+/-|ein-/ausgang|umsatzart s/h|terhelés/jóváírás|入出金|入払区分|入出金区分|收支|收/支|구분|d k|dk|type (cr/dr)|transaction type (dr/cr)|dr/cr indicator|cr/dr indicator|debit/credit flag|zahlungsrichtung|ein/aus|richtung|soll haben kennzeichen|s/h kennzeichen|h/s|+ -|πρόσημο|πρόσημο ποσού|χ/π|strona|wn/ma|smer|směr|credit debit|credit/debit code|debit/credit code|dbcr|db/cr|code dc|sens opération|tipo movimento d/c|d/a|a/b|借贷|借贷标志|收支类型|收入/支出|směr úhrady|směr platby|creditdebet|kredit/debet|c/d indicator|soll/haben-kennzeichen|soll/haben kz|s/h kz|debit/credit (d/c)|debit or credit (d/c)`},
	{roleText, `description|transaction description|transaction details|transaction detail|narrative|narration|particulars|details|detail|memo|remarks|transaction remarks|payment details|payment purpose|purpose|booking text|note to payee|verwendungszweck|vorgang/verwendungszweck|buchungstext/verwendungszweck|buchungsdetails|text|buchungstext|omschrijving|omschrijving-1|mededelingen|mededeling|beskrivning|beskrivelse|rubrik|meddelande|meddelelse|tekst|forklaring|forklarende tekst|selite|viesti|libellé|libelle|libellé opération|libellé de l'opération|détail|concepto|descripción|descripcion|detalle|observaciones|descrizione|causale|descrizione operazione|descrição|descricao|histórico|historico|movimento|opis operacji|opis|opis transakcji|tytuł|tytułem|szczegóły|popis|zpráva pro příjemce|poznámka|közlemény|leírás|megjegyzés|selgitus|paaiškinimai|paaiškinimas|paskirtis|maksājuma mērķis|informācija|açıklama|descriere|detalii|αιτιολογία|περιγραφή|назначение платежа|описание|призначення платежу|notes|note|message|information|comment|label|商品|商品说明|商品名称|摘要内容|摘要|取引内容|お取引内容|内容|備考|交易摘要|交易说明|附言|用途|적요|거래내용|내용|memo/notes|transaction type/description|avisierungstext|buchungs-info|buchungsinfo|communication|communications|détails|libellés|libelle complet operation|libellé complet opération|libellé simplifié|beschreibung|beschreibung1|opis plaćanja|namen|namen plačila|svrha|svrha plaćanja|основание|пояснение|деталі операції|призначення|texti|skýring|keterangan|uraian|butiran|penerangan|mô tả|nội dung|diễn giải|nội dung giao dịch|รายการ|รายละเอียด|คำอธิบาย|תיאור|תאור|פרטים|تفاصيل|الوصف|البيان|описание операции|наименование|descripción del movimiento|concepto ampliado|más datos|lançamento|lancamento|descrição da operação|descrizione estesa|causale descrizione|dettagli|statement details|bank description|transaction narration|transaction narrative|transaction remark|transaction|memo/description|description 1|extended details|tittel|tapahtuma|お取り扱い内容|お取扱内容|ご利用先|利用店名|取引名|交易详情|交易描述|事由|기재내용|mededeling(en)|title|mededelingen klant|vrije mededeling|text/mottagare|pravni temelj`},
	{roleParty, `counterparty|counterparty name|counter party|counter party name|name of counterparty|other party|partner|partner name|name|payee/payer|payer/payee|beneficiary/payer|recipient/payer|sender/receiver|merchant|merchant name|beguenstigter/zahlungspflichtiger|begünstigter/zahlungspflichtiger|empfänger/zahlungspflichtiger|auftraggeber/empfänger|empfänger/auftraggeber|auftraggeber/begünstigter|auftraggeber / begünstigter|auftraggeber/zahlungsempfänger|name zahlungsbeteiligter|zahlungsbeteiligter|naam tegenpartij|naam / omschrijving|naam|tegenpartij|naam tegenrekening|mottagare/avsändare|avsändare/mottagare|saaja/maksaja|contrepartie|nom|contraparte|controparte|ordinante/beneficiario|kontrahent|nadawca/odbiorca|dane kontrahenta|nazwa odbiorcy/nadawcy|název protiúčtu|protistrana|partner neve|partner elnevezése|saaja/maksja nimi|saaja/maksja|gavėjas|gavėjas / mokėtojas|mokėtojas / gavėjas|saņēmējs/maksātājs|контрагент|相手先|対方户名|交易对方|对方户名|보낸분/받는분|nadawca / odbiorca|partnername|naam begunstigde|nom de la contrepartie|nom contrepartie|name des partners|begünstigter / auftraggeber|begünstigter/auftraggeber|op name|obchodník|bénéficiaire/donneur d'ordre|consumer name|customer name|saaja/ maksaja|primatelj/platitelj|primalac/platilac|наименование контрагента|naziv|对手方|对手户名|交易对手|对方名称|거래처|merchant/payee|empfänger/auftraggeber name`},
	{rolePayer, `payer|payer name|sender|sender name|from|from name|zahlungspflichtige*r|zahlungspflichtiger|auftraggeber|remitter|ordering party|avsändare|maksaja|donneur d'ordre|ordenante|ordinante|nadawca|plátce`},
	{rolePayee, `payee|payee name|recipient|recipient name|to|to name|target name|beneficiary|beneficiary name|zahlungsempfänger*in|zahlungsempfänger|empfänger|empfaenger|begünstigter|begunstigde|mottaker|mottagare|modtager|saaja|bénéficiaire|beneficiario|odbiorca|příjemce`},
	{roleReference, `reference|payment reference|end to end reference|end-to-end reference|end to end id|endtoendid|end-to-end-id|end-to-end-referenz|end-to-end referenz|kundenreferenz (end-to-end)|kundenreferenz|customer reference|customer ref|your reference|ref|ref.|ref no|ref no.|reference no|reference no.|reference number|ref number|chq/ref no|chq./ref.no.|chq / ref no.|ref no./cheque no.|chq/ref number|transaction reference|transaction ref|transactiereferentie|betalingskenmerk|kenmerk|referentie|referenz|referenznummer|zahlungsreferenz|referens|referensnummer|ocr|ocr-nummer|ocr/referens|kid|kid-nummer|viite|viitenumero|viitenumber|référence|reference interne|n° de référence|referencia|referencia 1|nº referencia|riferimento|referência|numer referencyjny|referencje|reference platby|variabilní symbol|variabilny symbol|referencia szám|hivatkozás|nuoroda|atsauce|referans|referință|номер документа|cheque number|cheque no|cheque no.|check number|check no|check no.|check|check or slip #|check #|chq no|chq no.|serial|serial number|numer czeku|nr dokumentu|doc no|doc. no.|document number|dokumentnummer|belegnummer|invoice number|invoice|照会番号|参考号|参照番号|buchungsreferenz|reference number (utr)|customer ref.|client reference|gestructureerde mededeling|communication structurée|num|number|ref number/cheque number|ref no/cheque no|chq|chqno|cheque|docto|docto.|documento|dcto|nº documento|n. documento|número de documento|num documento|poziv na broj|sklic|model i poziv na broj|số tham chiếu|số chứng từ|אסמכתא|asmachta|المرجع|رقم المرجع|เลขที่อ้างอิง|no referensi|viite/viesti|reference code|payment ref|ocr number|verifikationsnummer|merchant_reference1|payments_reference|tilvísun|номер документу|fiş no|商户单号|商家订单号|summary code`},
	{roleBankID, `transaction id|bank id|bankid|bank transaction id|movement id|entry id|line id|uuid|uid|transactionid|transaction identifier|txn id|trn id|balance transaction id|balance_transaction_id|entry reference|account servicer reference|bank reference|bank ref|unique id|unique transaction id|fitid|transaktions-id|transaktionsid|transaktionsnummer|transaction number|transaction no|transactienummer|archivreferenz|archivierungskennung|arkivref|arkivreferanse|arkistointitunnus|archiefreferentie|identifiant|id transaction|id de transacción|id transacción|id transazione|id transação|identyfikator transakcji|id transakcji|id transakce|id operace|id pohybu|tranzakció azonosító|tranzakcióazonosító|įrašo nr.|įrašo nr|ieraksta nr|arhiveerimistunnus|operacijos nr|işlem no|dekont no|referans no|transferwise id|transfer id|取引番号|交易单号|交易号|交易订单号|交易流水号|流水号|id|transaktions-nr|transaktions-nr.|transaktionsnr|transaktionscode|transaktionskennung|zkb-referenz|identificador|unique identifier|tran id|transaction_id|bank transaction reference|numéro de mouvement|nº de séquence|n° de séquence|mutatienummer|volgnr|volgnummer|nr transakcji|numer transakcji|id transaktion|id da transação|id da operação|código de autenticação|referans numarası|fiş numarası|交易流水号 流水号|流水號|거래번호|id movimiento|número de movimiento|n.º de movimiento|movement number|idtransakce|identifikace transakce|kivonat sorszám|αρ. συναλλαγής|αριθμός συναλλαγής|номер операции|номер транзакции|ticket|tx id|txid|balance transaction|transaction hash`},
	{roleAccount, `bank account|account number|account no|account no.|account|account #|account id|account iban|own account|own iban|account name|iban/bban|iban bban|auftragskonto|kontonummer (eigen)|eigenes konto|iban auftragskonto|rekening|rekeningnummer|eigen rekening|iban eigen rekening|rachunek|numer rachunku|sąskaitos nr.|sąskaitos numeris|konta numurs|kliendi konto|könyvelési számla|számlaszám|saját számlaszám|číslo účtu|vlastní účet|compte|numéro de compte|n° compte|cuenta|número de cuenta|conto|numero conto|rapporto|conta|número da conta|kontonr|tili|tilinumero|hesap no|口座番号|账号|本方账号|계좌번호|iban auftraggeberkonto|auftraggeberkonto|numero compte|numéro compte|compte n°|n° de compte|numéro de compte bancaire|konto-nr. auftraggeber|iban konta|racun|račun|broj računa|iban računa|сметка|номер счета|номер счёта|номер рахунку|reikningur|nomor rekening|no rekening|nombor akaun|số tài khoản|เลขที่บัญชี|חשבון|מספר חשבון|رقم الحساب|الحساب|a/c no|a/c no.|a/c number|account no :|accountnum|accountnumber|número de conta|nº de conta|nº cuenta|c/c|číslo účtu majitele|hesap numarası|hesap|konto klienta|kontonr.|账户|账户号码|帐号|戶口號碼|卡号|계좌|口座|customer account no|customer account|customer account number|posted account|own account number|account nr|client account|konto własne|virksomhedskonto`},
	{roleMaybeAccount, `iban|konto|kontonummer|konto-nr.|konto nr|konto-nr`},
	{roleForeign, `original amount|original currency|orig. amount|orig. currency|foreign amount|foreign currency|foreign currency code|foreign_currency_code|foreign_amount|amount in foreign currency|transaction currency|instructed amount|instructed currency|betrag in fremdwährung|fremdwährungsbetrag|ursprungsbetrag|originalbetrag|originalwährung|oorspr bedrag|oorspr munt|oorspronkelijk bedrag|belopp i lokal valuta|ursprungligt belopp|originalbelopp|importe original|divisa original|importo originale|montant d'origine|devise d'origine|kwota w walucie oryginalnej|waluta oryginalna|source amount|source currency|target amount|target currency|source amount (after fees)|target amount (after fees)|exchange rate|exchange in|exchange out|rate|kurs|koers|taux|tax|vat|tip|reward points|feature reward points|points|cashback|local amount|local currency amount|local currency|amount (foreign)|tegenrekening|tegenrekening iban/bban|counter account|counterparty account|partner iban|partner account number|partner számla|gegenkonto|motkonto|orig currency|orig amount|original currency amount|fee currency|balance currency|сума в валюті операції|сумма в валюте операции|кэшбэк|курс|kwota płatności w walucie|kwota blokady/zwolnienie blokady|betrag detail|einzelbetrag|betrag in originalwährung|kurssi|original ccy|instructed currency amount|equivalent|counter value|gegenwert|conversion charge|montant en devise|montant devise|devise origine|importe en divisa|importe divisa|saldo disponibile divisa|amount in original currency|belopp i valuta|utländskt belopp|valutabelopp|beløp i valuta|kurzový lístek|částka v měně|měna originální|původní částka|původní měna|cuenta destino|fremde gebühren|startsaldo|beginsaldo|balance before|opening balance|saldo voor|saldo voor mutatie|solde avant|saldo anterior|saldo inicial|交易国家或地区简称|成功退款|rachunek źródłowy|rachunek docelowy|numer konta`},
}

type wordEntry struct {
	role role
	rank int
}

// knownWords is the vocabulary by folded phrase. What a phrase means first, it means.
var knownWords = sync.OnceValue(func() map[string]wordEntry {
	known := map[string]wordEntry{}
	for _, list := range headerWords {
		rank := 0
		for phrase := range strings.SplitSeq(list.words, "|") {
			rank++
			folded := fold(phrase)
			if _, taken := known[folded]; !taken {
				known[folded] = wordEntry{list.role, rank}
			}
		}
	}
	return known
})

// unsure is the rank from which on a header was recognised by one word in it, not as a whole.
const unsure = 1_000

// headerRole gives what a header cell means, roleNone when it is not known.
func headerRole(cell string) wordEntry {
	folded := headerPhrase(cell)
	if entry, ok := knownWords()[folded]; ok {
		return entry
	}
	if entry, ok := rewritten(cell, folded); ok {
		return entry
	}
	tokens := strings.Fields(folded)
	if len(tokens) < 2 || len(tokens) > 6 {
		return partRole(folded)
	}
	return tokenRole(tokens)
}

// tokenRole recognises a header by the words in it.
func tokenRole(tokens []string) wordEntry {
	var found wordEntry
	var sides [roleCount]bool
	for _, token := range tokens {
		if foreignToken(token) {
			return wordEntry{roleForeign, unsure}
		}
		switch entry := knownWords()[token]; entry.role {
		case roleDate, roleAmount, roleBalance:
			found = wordEntry{entry.role, unsure + entry.rank}
			if entry.role == roleDate && booked(tokens) {
				found.rank = unsure
			}
		case roleDebit, roleCredit:
			if len(token) > 3 { // "in", "out", "af" are columns only when they stand alone
				found = wordEntry{entry.role, unsure + entry.rank}
				sides[entry.role] = true
			}
		}
	}
	if sides[roleDebit] && sides[roleCredit] {
		return wordEntry{roleAmount, unsure} // "Insättningar/uttag" is one column with a sign
	}
	for _, token := range []string{tokens[len(tokens)-1], tokens[0]} {
		if entry := knownWords()[token]; entry.role == roleCurrency && found.role != roleBalance {
			return wordEntry{roleCurrency, unsure + entry.rank}
		}
	}
	if found.role == roleNone && len(tokens) < 5 && partRole(strings.Join(tokens, "")).role != roleNone {
		return partRole(strings.Join(tokens, ""))
	}
	return found
}

// booked reports whether the name of a date says that it is the bank's booking.
func booked(tokens []string) bool {
	for _, token := range tokens {
		for prefix := range strings.FieldsSeq("book post buch boek bokfor bogfor zauct uctov ksieg zaksieg contab compta konyvel knjiz kirjaus settle complet process провод") {
			if strings.HasPrefix(token, prefix) {
				return true
			}
		}
	}
	return false
}

// rewritten recognises a header that differs from a known one only in how it is written: "transactionDate", "accountnumber", "Text 2",
// "Kwota transakcji (waluta rachunku)".
func rewritten(cell, folded string) (wordEntry, bool) {
	if entry, ok := knownWords()[fold(spaced(cell))]; ok {
		return entry, true
	}
	if entry, ok := joinedWords()[folded]; ok {
		return entry, true
	}
	if series := strings.TrimRight(folded, " 0123456789"); series != folded {
		if entry, ok := knownWords()[series]; ok && entry.role == roleText {
			return wordEntry{roleText, entry.rank + 1}, true
		}
	}
	outside, inside, bracketed := strings.Cut(cell, "(")
	if !bracketed || strings.TrimSpace(outside) == "" {
		return wordEntry{}, false
	}
	for token := range strings.FieldsSeq(fold(inside)) {
		if foreignToken(token) {
			return wordEntry{roleForeign, unsure}, true
		}
		if side := knownWords()[token].role; side == roleDebit || side == roleCredit {
			return wordEntry{}, false // "Amount (debit)" is what stands in the brackets
		}
	}
	entry, ok := knownWords()[headerPhrase(outside)]
	return wordEntry{entry.role, entry.rank + 100}, ok
}

// spaced puts a blank before each capital inside a word: "transactionDate" is "transaction Date".
func spaced(cell string) string {
	var b strings.Builder
	before := ' '
	for _, r := range cell {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// joinedWords are the phrases of several words, written as one.
var joinedWords = sync.OnceValue(func() map[string]wordEntry {
	joined := map[string]wordEntry{}
	for phrase, entry := range knownWords() {
		if strings.Contains(phrase, " ") && len(phrase) > 6 && isASCII(phrase) {
			if known, taken := joined[compact(phrase)]; !taken || entry.rank < known.rank || entry.rank == known.rank && entry.role < known.role {
				joined[compact(phrase)] = entry
			}
		}
	}
	return joined
})

// partRole recognises a header of a language that writes without blanks by a part of it.
func partRole(folded string) wordEntry {
	if isASCII(folded) || len(folded) > 60 {
		return wordEntry{}
	}
	for _, part := range []struct {
		role  role
		words string
	}{
		{roleBalance, "残高 余额 餘額 结余 結餘 잔액"}, {roleAmount, "入出金"}, {roleDebit, "出金 支払金額 支払い金額 引出 引き出し 支出 출금 지급"}, {roleCredit, "入金 預かり金額 預入 預け入れ 收入 存入 입금"},
		{roleDate, "取引日 日付 年月日 日期 거래일"}, {roleAmount, "金額 金额 금액"}, {roleText, "摘要 適要 적요"},
	} {
		for word := range strings.FieldsSeq(part.words) {
			if strings.Contains(folded, fold(word)) {
				return wordEntry{part.role, unsure}
			}
		}
	}
	return wordEntry{}
}

var foreignTokens = sync.OnceValue(func() map[string]bool {
	return phrases("original|orig|minor|cents|foreign|fremd|oorspr|oorspronkelijk|lokal|local|instructed|tax|vat|mwst|btw|points|rate|kurs|cashback|discount|limit|previous|card|karte|kort|kaart|carte|tarjeta|carta|karta|type|number|count|category|valid|until|due|forfallodatum|birth|period|walucie|devises")
})

// foreignToken reports whether a word says that a column is about something else than the account's own movements.
func foreignToken(token string) bool {
	return foreignTokens()[token] || strings.HasPrefix(token, "fremdwahr") || strings.HasPrefix(token, "original") || strings.HasPrefix(token, "ursprungs")
}

// headerPhrase folds a header and takes off a currency at its end: "Betrag (€)", "Umsatz in EUR".
func headerPhrase(cell string) string {
	folded := fold(cell)
	tokens := strings.Fields(folded)
	if n := len(tokens); n > 1 && currencyIn(cell) != "" && isCurrencyToken(tokens[n-1]) {
		tokens = tokens[:n-1]
		_, known := knownWords()[strings.Join(tokens, " ")]
		if n := len(tokens); n > 1 && (tokens[n-1] == "in" || tokens[n-1] == "en") && !known { // "Paid in (EUR)" is not "Paid"
			tokens = tokens[:n-1]
		}
		return strings.Join(tokens, " ")
	}
	return folded
}
