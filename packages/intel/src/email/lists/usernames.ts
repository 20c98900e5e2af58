import { wordList } from '../../names/index.ts';

/** A function or a team, not a person (RFC 2142 among others). */
export const ROLES = wordList(`
abuse accounting accounts accountspayable accountsreceivable admin admins administration administrator admissions ads advertising affiliate
affiliates agent alerts all allstaff announce announcements api apply appointments archive assistance audit backoffice backup bd billing
board bookings booking bookkeeping business buyer calendar callcenter campaign campaigns care career careers cashier ceo cfo chairman
chat cio ciso claims client clients clientservices cmo comercial commercial communications community company complaints compliance
concierge conference connect consulting contact contactus contracts contributions controller cooperation coo corporate courses credit
crm cs cto customer customercare customers customerservice customersupport data datenschutz delivery demo design dev develop developer
developers development devops digital direct director directors disclosure dispatch dmarc dns documents domain domains donate donations dpo
ecommerce editor editorial editors education einkauf email emails employment enquiries enquiry errors estimates events everyone exchange
executive expense export facilities facility faculty faq fax feedback finance financial fleet forum founder founders frontdesk fulfillment
fundraising gdpr general gm grants group guest hallo hello help helpdesk hi hiring home hospitality hosting hostmaster hotel hr
humanresources ideas import info infos informacion information infra infrastructure inquiries inquiry insurance international internship
inventory investor investorrelations investors invoice invoices invoicing ip it itsupport jobs join journal kontakt kundenservice lab
lawyer leads learn legal library licensing list list-request listmaster lists loan login logistics loyalty mail mailbox maintenance
management manager manufacturing market marketing media membership members merchandising merchant moderator multimedia network networks
news newsdesk newsletter newsletters newsroom noc notifications office officemanager operations ops order orders orga owner owners parking
partner partners partnership partnerships patient payable payment payments payroll personnel pm policy post postmaster pr practice
presales president press principal print privacy procurement production products product program programs project projects promo promotions
property proposals public publicity publicrelations purchase purchasing quality quotes rd reception recruit recruiter recruiting
recruitment redaction referrals refund refunds registrar registration reklama rental rentals report reporting reports request requests
research reservation reservations residents response restaurant retail returns reviews root routing safety sale sales salesteam samples
scholarships school script scripts secretariat secretary secure security seo server service servicedesk services shipping shop showroom
sms social socialmedia software solutions spam sponsors sponsorship staff stats store stores studio submissions submit subscribe
subscriptions success suggestions supplier suppliers supply support surveys sysadmin sys talent tax team teams tech technical
technicalsupport techsupport telecom tender test tickets time tips tourism trade trademark traffic training travel treasurer treasury
trustees undisclosed-recipients unsubscribe usenet users uucp vendas vendor vendors ventas verkauf video volunteer volunteers warehouse
warranty web webadmin webinfo webmaster webmasters website webteam welcome wholesale work workshop www
`);

/** Read by machines and their keepers. */
export const SYSTEM_NAMES = wordList(`
abuse admin administrator alert alerts apache backup bin bounce bounces cron cronjob daemon devnull dmarc dns errors ftp git hostmaster
http listserv localhost logs lp mail-daemon mailer mailer-daemon mailerdaemon mailman majordomo mdaemon monitor monitoring mysql nagios
named news nobody noc notification notifications notify null ops oracle postfix postmaster postgres root security sendmail server smtp
spam ssl-admin ssladmin ssladministrator sys sysadmin syslog system tls-rpt tlsrpt trap usenet uucp webmaster www www-data zabbix
`);

/** Mail to these is thrown away, whatever stands between the words. */
export const NO_REPLY =
  /^(?:(?:no|not|dont|donot|do-not|never)[-_.]?(?:reply|respond|response|answer|return)|noreply|nao[-_.]?responda|no[-_.]?responder|ne[-_.]?pas[-_.]?repondre|keine[-_.]?antwort|nicht[-_.]?antworten)(?:[-_.+]|\d|$)/;
/** The same at the end of a longer name, such as `orders-noreply`. */
export const NO_REPLY_END = /(?:^|[-_.+])(?:no[-_.]?reply|do[-_.]?not[-_.]?reply)$/;

/** Obscenities and insults that no name and no honest word contains: found anywhere in a word. */
export const OBSCENITIES = wordList(`
asshole blowjob bullshit cocksucker dickhead fuckoff fuckyou jackass jerkoff motherfucker shithead arschloch hurensohn vaffanculo gilipollas
`);
/** Those that honest words contain (Scunthorpe, Tischlampe, salopette, snigger, Merdeka) or names (Fuckner, Fuckar): found only as a whole word. */
export const OBSCENE_WORDS = wordList(`
bitch bollocks cunt fuck fucked fucker fuckers fucking shit whore twat wanker faggot faggots nigger niggers nigga fotze scheisse schlampe wichser merde putain salope encule
enculer mierda cabron pendejo cazzo stronzo puttana pizda blyat caralho
`);
/** Whole words that are also names of people or ordinary words: Dick Cheney, Jacques Tits, sex education. */
export const DOUBTFUL_WORDS = wordList(`
anal anus arse ass bastard chuj cock connard cum dick dildo fag fagg fart fick fucks huj kurwa merda penis piss poop porn porno pussy puta retard sex sexy slut
tit tits vagina xxx
`);

/** People whose names strangers sign up with: first and last name run together. */
export const CELEBRITIES = wordList(`
adele angelinajolie arianagrande arnoldschwarzenegger barackobama beyonceknowles billgates billieeilish billclinton bradpitt britneyspears
brucelee brucewillis chucknorris cristianoronaldo daviletterman davidbeckham donaldtrump drake dualipa dwaynejohnson edsheeran elonmusk
elvispresley eminem emmawatson georgeclooney georgewbush hillaryclinton jackiechan jamesbond jeffbezos jenniferaniston jenniferlopez
joebiden johnlennon johnnydepp justinbieber justintimberlake kanyewest keanureeves kimkardashian kyliejenner ladygaga larryellison
lebronjames leonardodicaprio lionelmessi madonna markzuckerberg marilynmonroe michaeljackson michaeljordan mileycyrus morganfreeman
narendramodi nelsonmandela neymar nickiminaj oprahwinfrey parishilton paulmccartney rihanna robertdeniro rogerfederer ronaldreagan
satyanadella scarlettjohansson selenagomez serenawilliams sergeybrin shakira snoopdogg steveballmer stevejobs stevenspielberg
sylvesterstallone taylorswift tigerwoods timcook tomcruise tomhanks usainbolt vladimirputin volodymyrzelensky warrenbuffett willsmith
xijinping
`);
