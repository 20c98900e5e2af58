import { wordList } from './word-list.ts';

/** Mailboxes that are open for minutes and to everybody, by domain; their subdomains count. */
export const DISPOSABLE_DOMAINS = wordList(`
0-mail.com 027168.com 0815.ru 0clickemail.com 0wnd.net 10mail.org 10minutemail.com 10minutemail.co.uk 10minutemail.de 10minutemail.net
10minutemail.org 10minutemail.us 10minutesmail.com 10minutesmail.fr 123-m.com 1chuan.com 1mail.ml 1secmail.com 1secmail.net 1secmail.org
20email.eu 20mail.it 20minutemail.com 20minutemail.it 24hourmail.com 2prong.com 30minutemail.com 3trtretgfrfe.tk 4warding.com
5mail.cf 6url.com 75hosting.com 9ox.net a-bc.net acentri.com adpugh.org afrobacon.com agedmail.com ajaxapp.net amilegit.com
amiri.net anonbox.net anonymail.dk anonymbox.com antichef.com antichef.net antispam.de armyspy.com asorent.com azmeil.tk beefmilk.com
binkmail.com bio-muesli.net blogmyway.org bobmail.info bofthew.com brefmail.com briefemail.com bsnow.net bugmenot.com bumpymail.com
bund.us burstmail.info byom.de cellurl.com chammy.info cheatmail.de chogmail.com choicemail1.com clixser.com cool.fr.nf
courriel.fr.nf courrieltemporaire.com crapmail.org crazymailing.com cubiclink.com curryworld.de cust.in cuvox.de dacoolest.com dandikmail.com
dayrep.com deadaddress.com deadspam.com despam.it despammed.com devnullmail.com dfgh.net digitalsanctuary.com discard.email discardmail.com
discardmail.de disposableaddress.com disposableemailaddresses.com disposableinbox.com dispose.it disposeamail.com disposemail.com dispostable.com
dodgeit.com dodgit.com dodgit.org donemail.ru dontreg.com dontsendmespam.de drdrb.com drdrb.net dropmail.me dump-email.info dumpandjunk.com
dumpmail.de dumpyemail.com e-mail.com.de e4ward.info easytrashmail.com einrot.com email60.com emaildienst.de emailfake.com emailias.com
emailigo.de emailinfive.com emailisvalid.com emaillime.com emailmiser.com emailna.co emailondeck.com emailsensei.com emailtemporanea.com
emailtemporanea.net emailtemporar.ro emailtemporario.com.br emailthe.net emailtmp.com emailto.de emailwarden.com emailx.at.hm emailxfer.com
emltmp.com emz.net enterto.com ephemail.net etranquil.com etranquil.net etranquil.org evopo.com explodemail.com eyepaste.com
fakeinbox.com fakeinbox.info fakeinformation.com fakemail.fr fakemail.net fakemailgenerator.com fakemailz.com fammix.com fansworldwide.de fantasymail.de
fastacura.com fastchevy.com fastchrysler.com fastkawasaki.com fastmazda.com fastmitsubishi.com fastnissan.com fastsubaru.com fastsuzuki.com
fasttoyota.com fastyamaha.com filzmail.com fizmail.com fleckens.hu flurred.com flyspam.com fr33mail.info frapmail.com friendlymail.co.uk
front14.org fudgerub.com fux0ringduh.com garliclife.com generator.email get1mail.com get2mail.fr getairmail.com getnada.com getonemail.com
getonemail.net ghosttexter.de girlsundertheinfluence.com gowikibooks.com gowikicampus.com greensloth.com grr.la gsrv.co.uk
guerillamail.biz guerillamail.com guerillamail.de guerillamail.info guerillamail.net guerillamail.org guerrillamail.biz guerrillamail.com
guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com gustr.com h.mintemail.com haltospam.com
harakirimail.com hatespam.org hidemail.de hidzz.com hmamail.com hochsitze.com hopemail.biz hulapla.de ieatspam.eu ieatspam.info
ihateyoualot.info iheartspam.com imails.info inboxalias.com inboxbear.com inboxclean.com inboxclean.org inboxkitten.com incognitomail.com
incognitomail.net incognitomail.org inboxproxy.com insorg-mail.info instant-mail.de internxt.email ipoo.org irish2me.com iwi.net jetable.com
jetable.fr.nf jetable.net jnxjn.com jourrapide.com jsrsolutions.com junk1e.com kasmail.com kaspop.com killmail.com killmail.net
klzlk.com koszmail.pl kulturbetrieb.info kurzepost.de lackmail.net lags.us landmail.co letthemeatspam.com lhsdv.com lifebyfood.com link2mail.net
litedrop.com lol.ovpn.to lookugly.com lopl.co.cc lortemail.dk lr78.com luxusmail.org maboard.com mail-temp.com mail-temporaire.fr mail.by.tk
mail.mezimages.net mail.tm mail2rss.org mail333.com mail4trash.com mailbidon.com mailblocks.com mailbucket.org mailcat.biz
mailcatch.com mailde.de mailde.info maildrop.cc maildrop.cf maildrop.ga maildrop.gq maildrop.ml maildx.com maileater.com mailexpire.net
mailfa.tk mailforspam.com mailfreeonline.com mailguard.me mailhazard.com mailimate.com mailin8r.com mailinater.com mailinator.com mailinator.net
mailinator.org mailinator2.com mailincubator.com mailismagic.com mailme.ir mailme.lv mailme24.com mailmetrash.com mailmoat.com mailnator.com
mailnesia.com mailnowapp.com mailpick.biz mailpoof.com mailrock.biz mailsac.com mailscrap.com mailseal.de mailshell.com mailsiphon.com
mailslapping.com mailslite.com mailtemp.info mailtemporaire.com mailtemporaire.fr mailto.plus mailtothis.com mailtrash.net mailtv.net mailtv.tv
mailzilla.com mailzilla.org makemetheking.com mbx.cc mega.zik.dj meinspamschutz.de meltmail.com messagebeamer.de mierdamail.com
migmail.net mintemail.com minuteinbox.com mjukglass.nu moakt.cc moakt.com moakt.ws mobi.web.id moburl.com mohmal.com mohmal.in mohmal.tech
moncourrier.fr.nf monemail.fr.nf monmail.fr.nf monumentmail.com msa.minsmail.com mt2009.com mt2014.com mycleaninbox.net mymail-in.net mypacks.net
mypartyclip.de myphantomemail.com mysamp.de mytempemail.com mytempmail.com mytrashmail.com nabuma.com neomailbox.com nepwk.com nervmich.net
nervtmich.net netmails.com netmails.net netzidiot.de neverbox.com nice-4u.com nincsmail.com nnh.com no-spam.ws nobulk.com noclickemail.com
nogmailspam.info nomail.xl.cx nomail2me.com nomorespamemails.com nospam.ze.tc nospam4.us nospamfor.us nospammail.net notmailinator.com
nowhere.org nowmymail.com nurfuerspam.de nwldx.com objectmail.com obobbo.com odaymail.com oneoffemail.com onewaymail.com onlatedotcom.info
oopi.org opayq.net ordinaryamerican.net otherinbox.com ourklips.com outlawspam.com ovpn.to owlpic.com pancakemail.com pjjkp.com plexolan.de poofy.org
pookmail.com privatdemail.net proxymail.eu prtnx.com punkass.com putthisinyourspamdatabase.com quickinbox.com quickmail.nl rcpt.at
reallymymail.com recode.me recursor.net regbypass.com rejectmail.com rhyta.com rklips.com rmqkr.net rppkn.com rtrtr.com
 safersignup.de safetymail.info safetypost.de sandelf.de saynotospams.com schafmail.de selfdestructingmail.com sendspamhere.com
sharklasers.com shieldemail.com shiftmail.com shitmail.me shitware.nl shortmail.net skeefmail.com slaskpost.se slopsbox.com smashmail.de
smellfear.com snakemail.com sneakmail.de sofimail.com sofort-mail.de sogetthis.com soodonims.com spam.la spam.su spam4.me spamail.de spamavert.com
spambob.com spambob.net spambob.org spambog.com spambog.de spambog.net spambog.ru spambox.info spambox.irishspringrealty.com spambox.us
spamcannon.com spamcannon.net spamcero.com spamcorptastic.com spamcowboy.com spamcowboy.net spamcowboy.org spamday.com spamfree.eu spamfree24.com
spamfree24.de spamfree24.eu spamfree24.info spamfree24.net spamfree24.org spamgoes.in spamherelots.com spamhereplease.com spamhole.com spamify.com
spamkill.info spaml.com spaml.de spammotel.com spamobox.com spamoff.de spamslicer.com spamspot.com spamthis.co.uk spamthisplease.com spamtrail.com
spamtroll.net speed.1s.fr spoofmail.de squizzy.de ssoia.com startkeys.com stuffmail.de super-auswahl.de supergreatmail.com supermailer.jp
superrito.com superstachel.de suremail.info tafmail.com teewars.org teleworm.com teleworm.us temp-mail.com temp-mail.de temp-mail.io temp-mail.net
temp-mail.org temp-mail.ru tempail.com tempalias.com tempe-mail.com tempemail.biz tempemail.co.za tempemail.com tempemail.net tempinbox.co.uk
tempinbox.com tempmail.co tempmail.de tempmail.eu tempmail.it tempmail.net tempmail.plus tempmail2.com tempmailaddress.com tempmailer.com
tempmailer.de tempmailo.com tempomail.fr temporarily.de temporarioemail.com.br temporaryemail.net temporaryemail.us temporaryforwarding.com
temporaryinbox.com temporarymailaddress.com tempr.email tempsky.com tempthe.net tempymail.com thanksnospam.info thankyou2010.com thecloudindex.com
thisisnotmyrealemail.com throam.com throwam.com throwawayemailaddress.com throwawaymail.com tilien.com tittbit.in tizi.com tmail.ws tmailinator.com
tmpbox.net tmpmail.net tmpmail.org toiea.com toomail.biz tradermail.info trash-amil.com trash-mail.at trash-mail.com trash-mail.de trash-mail.ga
trash2009.com trash2010.com trash2011.com trashdevil.com trashdevil.de trashemail.de trashinbox.com trashmail.at trashmail.io trashmail.me
trashmail.org trashmail.ws trashmailer.com trashymail.com trashymail.net trbvm.com trialmail.de twinmail.de tyldd.com uggsrock.com
umail.net uroid.com us.af venompen.com veryrealemail.com viditag.com viewcastmedia.com viewcastmedia.net viewcastmedia.org vomoto.com vubby.com
walala.org walkmail.net webemail.me webm4il.info weg-werf-email.de wegwerf-email-addressen.de wegwerf-emails.de wegwerfadresse.de wegwerfemail.com
wegwerfemail.de wegwerfmail.de wegwerfmail.info wegwerfmail.net wegwerfmail.org wetrainbayarea.com wh4f.org whatiaas.com whatpaas.com whyspam.me
wilemail.com willhackforfood.biz willselfdestruct.com winemaven.info wronghead.com wuzup.net wuzupmail.net wwwnew.eu xagloo.com xemaps.net xents.com
xmaily.com xoxy.net yep.it yogamaven.com yopmail.com yopmail.fr yopmail.net yopmail.org youmailr.com ypmail.webarnak.fr.eu.org
yuurok.com zehnminutenmail.de zippymail.info zoaxe.com zoemail.org zomg.info
`);

/** Mail exchangers of disposable services: thousands of domains of the day share them. Their subdomains count. */
export const DISPOSABLE_EXCHANGERS = wordList(`
mailinator.com guerrillamail.com guerrillamail.org yopmail.com mail.tm temp-mail.org temp-mail.io tempmail.plus mailsac.com maildrop.cc
mailnesia.com generator.email emailfake.com email-fake.com 1secmail.com dropmail.me getnada.com inboxes.com mohmal.com moakt.com
trashmail.com trash-mail.com wabblywabble.com wallywatts.com erinn.biz discard.email mailcatch.com spamgourmet.com mintemail.com
emailondeck.com fakemailgenerator.com throwawaymail.com tempail.com minuteinbox.com mytrashmail.com disposable-email.com in-mail.net
`);
