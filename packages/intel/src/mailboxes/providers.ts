import { shippedList, wordList } from '../names/index.ts';

/** Mailboxes that anyone opens without paying, run from Russia and its neighbours. */
export const RUSSIAN_FREE = wordList(`
mail.ru bk.ru list.ru inbox.ru internet.ru xmail.ru vk.com yandex.ru yandex.com yandex.by yandex.kz yandex.ua yandex.com.tr ya.ru narod.ru
rambler.ru lenta.ru autorambler.ru myrambler.ru ro.ru rambler.ua pochta.ru nm.ru hotbox.ru qip.ru fromru.com front.ru land.ru
nextmail.ru email.su km.ru sibmail.com ngs.ru e1.ru tut.by mail.by
`);

/** The same, run from China. */
export const CHINESE_FREE = wordList(`
qq.com vip.qq.com foxmail.com 163.com 126.com yeah.net vip.163.com vip.126.com 188.com sina.com sina.cn vip.sina.com sohu.com
aliyun.com tom.com 21cn.com 139.com 189.cn wo.cn 263.net eyou.com china.com chinaren.com citiz.net
`);

/** Mailboxes that anyone opens without paying, anywhere, with providers that most people know; the list `free-mail` has thousands more. */
export const FREE_PROVIDERS: ReadonlySet<string> = new Set([
  ...RUSSIAN_FREE,
  ...CHINESE_FREE,
  ...wordList(`
gmail.com googlemail.com
outlook.com outlook.fr outlook.de outlook.es outlook.it outlook.jp outlook.in outlook.be outlook.dk outlook.pt outlook.cl outlook.ie
outlook.at outlook.sa outlook.kr outlook.sk outlook.hu outlook.lv outlook.com.br outlook.com.au outlook.com.ar outlook.com.tr
outlook.com.gr outlook.co.id outlook.co.th outlook.ph outlook.my outlook.sg outlook.cz
hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.nl hotmail.be hotmail.se hotmail.no hotmail.dk
hotmail.fi hotmail.gr hotmail.ca hotmail.co.jp hotmail.co.th hotmail.com.br hotmail.com.ar hotmail.com.tr hotmail.com.au hotmail.ch
live.com live.co.uk live.fr live.de live.it live.nl live.be live.se live.no live.dk live.ca live.cn live.jp live.com.au live.com.mx
live.com.pt live.com.ar live.ie live.at live.in live.co.za msn.com passport.com windowslive.com
yahoo.com yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.in yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.com.ar
yahoo.com.mx yahoo.com.au yahoo.com.sg yahoo.com.ph yahoo.com.vn yahoo.com.tr yahoo.com.hk yahoo.com.tw yahoo.com.my yahoo.co.id
yahoo.co.th yahoo.co.nz yahoo.co.za yahoo.gr yahoo.ie yahoo.se yahoo.no yahoo.dk yahoo.pl yahoo.ro yahoo.nl yahoo.be yahoo.at
yahoo.cl yahoo.com.co yahoo.com.pe ymail.com rocketmail.com myyahoo.com
aol.com aol.co.uk aol.de aol.fr aim.com verizon.net love.com ygm.com games.com wow.com
icloud.com me.com mac.com
protonmail.com protonmail.ch proton.me pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me
gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.fr gmx.es gmx.co.uk gmx.us gmx.org gmx.eu web.de email.de freenet.de t-online.de
mail.com email.com usa.com post.com europe.com asia.com consultant.com engineer.com cheerful.com dr.com techie.com writeme.com
iname.com myself.com workmail.com accountant.com
acdcfan.com activist.com adexec.com africamail.com aircraftmail.com allergist.com alumni.com alumnidirector.com appraiser.net
archaeologist.com arcticmail.com artlover.com atheist.com auctioneer.net australiamail.com bartender.net bellair.net bikerider.com
birdlover.com blader.com boardermail.com brazilmail.com brew-master.com brew-meister.com bsdmail.com californiamail.com cash4u.com
catlover.com chef.net chemist.com chinamail.com clerk.com clubmember.org collector.org columnist.com computer4u.com contractor.net
coolsite.net counsellor.com cutey.com cyber-wizard.com cyberdude.com cybergal.com cyberservices.com dallasmail.com dbzmail.com
deliveryman.com diplomats.com disciples.com discofan.com doctor.com doglover.com doramail.com dutchmail.com elvisfan.com
englandmail.com europemail.com execs.com fastservice.com financier.com fireman.net galaxyhit.com gardener.com geologist.com
germanymail.com graduate.org graphic-designer.com greenmail.net groupmail.com hackermail.com hairdresser.net hilarious.com
hiphopfan.com homemail.com hot-shot.com housemail.com humanoid.net innocent.com inorbit.com instruction.com instructor.net
insurer.com irelandmail.com israelmail.com italymail.com job4u.com journalist.com keromail.com kissfans.com kittymail.com
koreamail.com legislator.com linuxmail.org lobbyist.com lovecat.com madonnafan.com mail-me.com marchmail.com metalfan.com
mexicomail.com minister.com moscowmail.com musician.org muslim.com net-shopping.com ninfan.com nonpartisan.com nycmail.com
optician.com orthodontist.net pacific-ocean.com pacificwest.com pediatrician.com petlover.com photographer.net physicist.net
planetmail.com planetmail.net polandmail.com politician.com presidency.com priest.com programmer.net protestant.com publicist.com
qualityservice.com radiologist.net ravemail.com realtyagent.com reborn.com reggaefan.com registerednurses.com reincarnate.com
religious.com repairman.com representative.com rescueteam.com rocketship.com safrica.com saintly.com salesperson.net samerica.com
sanfranmail.com scientist.com scotlandmail.com secretary.net snakebite.com socialworker.net sociologist.com solution4u.com
songwriter.net spainmail.com surgical.net swedenmail.com swissmail.com teachers.org tech-center.com technologist.com theplate.com
therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com uymail.com webname.com worker.com
zoho.com zohomail.com zohomail.eu zohomail.in inbox.com inbox.lv inbox.lt hushmail.com hush.com mailfence.com disroot.org
hush.ai hushmail.me nokiamail.com riseup.net autistici.org cock.li airmail.cc mindless.com fastmail.to lycos.com excite.com excite.it juno.com netzero.net netscape.net
laposte.net orange.fr wanadoo.fr free.fr sfr.fr neuf.fr bbox.fr caramail.com voila.fr
libero.it virgilio.it tiscali.it alice.it tin.it iol.it inwind.it email.it supereva.it
wp.pl o2.pl onet.pl onet.eu op.pl interia.pl interia.eu gazeta.pl poczta.fm tlen.pl vp.pl spoko.pl buziaczek.pl poczta.onet.pl
seznam.cz email.cz post.cz centrum.cz atlas.cz volny.cz azet.sk centrum.sk zoznam.sk pobox.sk post.sk
freemail.hu citromail.hu indamail.hu vipmail.hu abv.bg mail.bg dir.bg gbg.bg
ukr.net i.ua meta.ua bigmir.net email.ua online.ua
uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com r7.com oi.com.br zipmail.com.br
rediffmail.com indiatimes.com sify.com in.com
naver.com daum.net hanmail.net nate.com kakao.com hanmir.com
docomo.ne.jp ezweb.ne.jp softbank.ne.jp excite.co.jp goo.jp infoseek.jp
walla.com walla.co.il mynet.com hotpop.com sapo.pt clix.pt telepac.pt
web.id telkom.net plasa.com bluewin.ch hispeed.ch telenet.be skynet.be home.nl planet.nl hetnet.nl
virginmedia.com btinternet.com sky.com talktalk.net ntlworld.com blueyonder.co.uk
`),
]);

/** Mailboxes that anyone opens for money or with a connection: public, though not free. */
export const PAID_PUBLIC = shippedList('paid-mail');

/** Services that pass mail on and hide the address behind: the mailbox is real, its owner unnamed. */
export const FORWARDERS = shippedList('mail-forwarders');

/** The usual targets of mistyped domains: large providers, the most used first. */
export const MISTYPED_PROVIDERS = wordList(`
gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com protonmail.com proton.me googlemail.com ymail.com
me.com gmx.com gmx.de gmx.net web.de freenet.de t-online.de mail.com zoho.com fastmail.com comcast.net verizon.net att.net
sbcglobal.net bellsouth.net cox.net charter.net earthlink.net yahoo.co.uk hotmail.co.uk outlook.fr hotmail.fr yahoo.fr orange.fr
laposte.net libero.it virgilio.it hotmail.it hotmail.es yahoo.es yahoo.de hotmail.de yahoo.co.jp yahoo.co.in yahoo.com.br
uol.com.br bol.com.br mail.ru yandex.ru rambler.ru qq.com 163.com 126.com naver.com daum.net rediffmail.com wp.pl seznam.cz
`);
