import { Phrases } from './phrases.ts';

/**
 * Pressing words, in English, German, French, Spanish, Italian, Portuguese and Dutch. Words that ordinary mail has all the time ("please",
 * "soon", "important") are not here, and one of these alone says nothing yet: `urgency.ts` counts kinds.
 */
export const PRESSING = {
  /** Calls to act, and now. */
  call: new Phrases(`
urgent|urgently|asap
a s a p
immediate action|attention|response|reply|payment|assistance
act|call|click|respond|reply|pay immediately|now|asap|today
call|phone us|me|back|our|support immediately|now|asap|today
respond|reply|contact|verify|confirm|update|pay|login|activate|reactivate|unlock|renew * immediately|now|asap|today
immediately act|respond|reply|call|contact|verify|confirm|update|pay|review|click
requires|require|needs|demands your immediate|prompt|urgent
action|response|attention required|needed
do not ignore
dont ignore
don t ignore
time sensitive
as soon as possible
without delay
dringend|dringende|dringender|dringendes|dringenden|eilt|eilig|schnellstmoglich
sofort|umgehend|unverzuglich|schnellstens * handeln|reagieren|antworten|bestatigen|verifizieren|anrufen|zahlen|bezahlen|uberweisen|aktualisieren|melden|kontaktieren|uberprufen
handeln|reagieren|antworten|bestatigen|zahlen|bezahlen|uberweisen|rufen|kontaktieren|uberprufen|aktualisieren * sofort|umgehend|unverzuglich|jetzt
sofortige|sofortiger|sofortiges|umgehende|umgehender handlung|massnahmen|massnahme|antwort|reaktion|bestatigung|zahlung|aufmerksamkeit
handlungsbedarf
handlung|aktion erforderlich
so schnell wie|als moglich
urgence|urgente|urgentes|urgents|urgentissime
agissez|repondez|confirmez|verifiez|appelez|cliquez|payez|regularisez * immediatement|maintenant|urgence|aujourd|vite
immediatement|rapidement votre|vos
action|reponse immediate|requise
dans les plus brefs delais
des que possible
le plus vite|rapidement possible
sans delai|tarder
urgentemente|inmediatamente
actue|responda|confirme|verifique|llame|actualice|pague * inmediatamente|ahora|ya|hoy|urgente
accion|atencion|respuesta inmediata|requerida|urgente
lo antes posible
cuanto antes
sin demora
urgenza|urgentemente|immediatamente|tempestivamente
agisci|agire|rispondi|conferma|verifica|chiama|aggiorna|paga * subito|ora|immediatamente|adesso|oggi
azione|attenzione|risposta immediata|richiesta|urgente
il prima possibile
al piu presto
quanto prima
senza indugio|ritardo
imediatamente
aja|responda|confirme|verifique|ligue|atualize|pague|regularize * imediatamente|agora|ja|hoje|urgente
acao|atencao|resposta imediata|necessaria|urgente
o mais rapido|rapidamente|breve possivel
quanto antes
sem demora
dringend|dringende|spoed|spoedeisend|spoedig
handel|reageer|antwoord|bevestig|verifieer|bel|betaal|controleer * direct|onmiddellijk|nu|meteen|vandaag
onmiddellijk|onmiddellijke|directe actie|handelen|reactie|aandacht|betaling|reageren
actie vereist|nodig
zo snel|spoedig mogelijk
`),

  /** Deadlines: today, or within three days. */
  deadline: new Phrases(`
within|in * #72 hours|hour|hrs
within|in * #3 days|day
within|in * 12h|24h|36h|48h|72h|24hrs|48hrs|72hrs
within|in * 24|48|72|one|two|twenty|forty|seventy * hours
expires|expire|expiring|expired|ends|ending|closes|closing * today|tonight|tomorrow|soon|midnight
expires|expire|expiring|ends in * #72 hours|hour|minutes
by|before * end of * day|today|business
by eod|cob|today|tonight|tomorrow
before close of business
only #72 hours|hour|minutes left|remaining
#72 hours|hour|days left|remaining
last|final chance|notice|reminder|warning|opportunity|notification|demand|call
time is running out
overdue
past due
hurry
innerhalb|binnen|in * #72 stunden|std
innerhalb|binnen|in * #3 tagen|tage
innerhalb|binnen * 24|48|72|24h|48h|72h
nur noch heute|#72
bis heute|morgen|spatestens
noch heute
letzte|letzter|letztmalige|letztes chance|mahnung|erinnerung|warnung|aufforderung|zahlungserinnerung
lauft * heute|morgen|bald ab
uberfallig|uberfallige|uberfalliger
sous|dans|ici * #72 heures|h
sous|dans * 24h|48h|72h
sous|dans les #3 jours
avant minuit|demain|ce soir|la fin de la journee
dernier|derniere rappel|avertissement|chance|avis|relance|delai
expire|expirera * aujourd|demain|bientot
plus que #72 heures
en|dentro|proximas|plazo * #72 horas
en|dentro|plazo * #3 dias
en|dentro * 24h|48h|72h
antes de manana|hoy|medianoche
ultimo|ultima aviso|oportunidad|advertencia|recordatorio|notificacion|dia
caduca|vence|expira * hoy|manana|pronto
entro|nelle|in * #72 ore
entro * #3 giorni
entro * 24h|48h|72h|oggi|domani|stasera|mezzanotte
ultimo|ultima|ultimi avviso|promemoria|sollecito|occasione|possibilita|avvertimento|giorno
scade|scadra|scadenza * oggi|domani|breve
em|dentro|prazo|nas * #72 horas
em|dentro|prazo * #3 dias
em|dentro * 24h|48h|72h
ultimo|ultima aviso|chance|lembrete|oportunidade|notificacao|alerta
expira|vence|termina * hoje|amanha|breve
ate|antes * hoje|amanha|meia
binnen|over|in * #72 uur|uren
binnen|over * #3 dagen
binnen * 24u|48u|72u|24h|48h|72h
uiterlijk|voor vandaag|morgen|middernacht
laatste kans|herinnering|waarschuwing|aanmaning|mogelijkheid|dag
verloopt|vervalt|eindigt * vandaag|morgen|binnenkort
`),

  /** A loss that is threatened, or that has already happened. */
  consequence: new Phrases(`
will|may|can be * suspended|terminated|disabled|deactivated|closed|locked|blocked|deleted|restricted|limited|removed|revoked|interrupted|disconnected|seized|lost|erased|returned|prosecuted
has|have|was|been|is * suspended|limited|locked|restricted|blocked|disabled|deactivated|compromised|hacked|breached|flagged|infected|frozen
on hold
lose|losing|loss * access|account|files|data|emails|messages|mailbox|funds|service
avoid|prevent * suspension|interruption|disruption|penalties|penalty|termination|closure|deactivation|losing|loss|cancellation|deletion|charges|fees|fine
account|mailbox|service|access suspension|termination|deactivation|closure
legal action|proceedings|consequences
law enforcement
arrest warrant
collection|collections agency
debt collection|collector|collectors
late fee|fees
permanently|permanent deleted|lost|closed|disabled|locked|suspended|removed|deletion|suspension
did not|didnt|never authorize|authorise|make|place * payment|charge|transaction|order|purchase
didn t authorize|authorise|make|place * payment|charge|transaction|order|purchase
will|going|gonna * send|publish|release|post|share|leak * video|recording|footage|photos|screenshots
everyone|everybody|friends|family|contacts will see|receive|know
recorded|filmed you
unauthorized|unauthorised|suspicious|unusual|fraudulent * activity|access|transaction|transactions|login|logins|charge|charges|sign|purchase|payment|attempt
storage|mailbox|quota|inbox * full|exceeded|exceeds
wird|werden|wurde|wurden|ist|sind|sonst|andernfalls * gesperrt|eingeschrankt|deaktiviert|geloscht|gekundigt|geschlossen|eingefroren|blockiert|gehackt|kompromittiert|unterbrochen
kontosperrung|sperrung|zwangsvollstreckung|inkasso|inkassoburo|pfandung|strafanzeige|gerichtsvollzieher
rechtliche|gerichtliche|juristische schritte|konsequenzen|massnahmen
zugang|zugriff * verlieren
verdachtige|ungewohnliche|unbefugte|unberechtigte * aktivitat|aktivitaten|anmeldung|transaktion|zugriff|zugriffe|abbuchung
mahngebuhren|mahngebuhr|verzugszinsen|saumniszuschlag
sera|seront|ete|est|sont|etre|serait * suspendu|suspendue|suspendus|bloque|bloquee|desactive|desactivee|supprime|supprimee|ferme|fermee|limite|limitee|restreint|cloture|resilie|pirate|piratee|compromis|compromise
perdre|perdrez * acces|compte|donnees
poursuites|procedure|action judiciaire|judiciaires|penales|legales
huissier|recouvrement|penalites
activite|connexion|transaction|acces * inhabituelle|suspecte|suspect|frauduleuse|autorise|autorisee
sera|seran|ha|han|sido|esta|estan|quedara * suspendida|suspendido|bloqueada|bloqueado|desactivada|desactivado|eliminada|eliminado|cancelada|cerrada|limitada|limitado|restringida|restringido|hackeada|comprometida|comprometido|embargada
perder|perdera * acceso|cuenta|datos|fondos
acciones|medidas|accion legales|judiciales|legal|judicial
embargo judicial
recargo|recargos|multa
actividad|acceso|transaccion|movimiento * inusual|sospechosa|sospechoso|autorizado|autorizada|fraudulenta
sara|saranno|stato|stata|verra|verranno|essere * sospeso|sospesa|bloccato|bloccata|disattivato|disattivata|eliminato|eliminata|chiuso|chiusa|limitato|limitata|disabilitato|disabilitata|hackerato|compromesso|compromessa|cancellato|cancellata
perdere|perdera * accesso|account|dati
azioni|azione|vie legali|legale
pignoramento|penale|penali|mora|sanzione|sanzioni
attivita|accesso|transazione * sospetta|sospetto|insolita|insolito|autorizzato|autorizzata|anomala|anomalo
sera|serao|foi|foram|esta|estao|ser * suspensa|suspenso|bloqueada|bloqueado|desativada|desativado|excluida|excluido|cancelada|cancelado|encerrada|encerrado|limitada|limitado|invadida|comprometida|restrita
perder|perdera * acesso|conta|dados
acoes|acao|medidas|processo judicial|judiciais|legais|legal
negativado|negativacao|protesto|serasa|multa|juros
atividade|acesso|transacao|compra * suspeita|suspeito|incomum|autorizado|autorizada|fraudulenta
wordt|worden|werd|is|zijn|zal|zullen * geblokkeerd|opgeschort|gedeactiveerd|verwijderd|gesloten|beperkt|afgesloten|gehackt|uitgeschakeld|stopgezet|bevroren
toegang * verliezen|verliest
juridische|gerechtelijke stappen|maatregelen|procedure
deurwaarder|incassobureau|incasso|aanmaningskosten|boete|beslaglegging
verdachte|ongebruikelijke|ongeautoriseerde|onbevoegde * activiteit|activiteiten|inlogpoging|transactie|toegang|login
`),

  /** Money on a way that cannot be taken back. */
  payment: new Phrases(`
wire|bank transfer
wire the|this|money|funds|payment
gift|itunes|steam|amazon|google card|cards
apple gift card|cards
new|updated|changed|change * bank|banking|account details|information|instructions
bank|banking|account details * changed|updated|change
pay|send|transfer * bitcoin|btc|usdt|crypto
direct deposit
uberweisung * ausfuhren|durchfuhren|veranlassen|tatigen
geschenkkarte|geschenkkarten|gutscheinkarten
neue|geanderte bankverbindung|kontoverbindung|bankdaten
virement * effectuer|urgent|executer|confidentiel|bancaire
effectuer * virement
carte|cartes cadeau|cadeaux
nouveau|nouvelles|changement * rib|coordonnees|iban
transferencia * bancaria|urgente|realizar
realizar|hacer * transferencia
tarjetas|tarjeta * regalo
nueva|nuevo|cambio * cuenta bancaria|iban
bonifico * bancario|urgente|effettuare
effettuare|eseguire|disporre * bonifico
carte|carta|buoni regalo
nuovo|nuove iban|coordinate
transferencia|pix * bancaria|urgente
fazer|realizar|efetuar * transferencia|pix
cartoes|cartao * presente
dados bancarios novos|alterados
overboeking * uitvoeren|doen
cadeaukaart|cadeaukaarten|cadeaubonnen
nieuw|gewijzigd|nieuwe|gewijzigde rekeningnummer|bankgegevens
`),

  /** Demands to keep it secret. */
  secrecy: new Phrases(`
keep|treat|handle * confidential|secret|discreet|discreetly|between us|private|yourself
strictly confidential|between
between you and me
do not tell|discuss|mention|inform|share * anyone|anybody|others|team|office
don t tell|discuss|mention|share * anyone|anybody|others|team
can t|cannot|cant talk|speak|take calls|call|answer
i am|m * in * meeting|meetings|conference|conferences
are you available|free|around|there
are you at * desk|office
are you in * office
do you have a moment|minute
vertraulich|diskret * behandeln
behandeln * vertraulich|diskret
streng vertraulich
mit niemandem|niemand * sprechen|daruber
sind sie * verfugbar|erreichbar|buro|platz
bist du * verfugbar|erreichbar|buro|platz
in * besprechung|meeting * nicht|telefonieren
strictement confidentiel|confidentielle
n en parlez|parle
etes vous * disponible|bureau
es tu * disponible|bureau
confidencial * asunto|operacion|mantener|mantenga
mantenga|mantener * confidencial|secreto
esta|estas * disponible|oficina
riservato|riservata|riservatezza * massima|operazione
massima riservatezza
sei * disponibile|ufficio
mantenha|manter * sigilo|confidencial|segredo
voce esta * disponivel|escritorio
strikt vertrouwelijk
vertrouwelijk * behandelen|houden
ben je * beschikbaar|bereikbaar|kantoor
bent u * beschikbaar|bereikbaar|kantoor
`),
} as const;
export type PressingKind = keyof typeof PRESSING;

/** Such words weigh more in the subject, where every reader sees them. */
export const LOUD_IN_SUBJECT: readonly PressingKind[] = ['call', 'consequence'];
