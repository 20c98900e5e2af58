import { wordList } from './word-list.ts';

/** Registrable domains that most people know: what others imitate, and what is never itself called suspicious. */
export const POPULAR_DOMAINS = wordList(`
adobe.com aliexpress.com alibaba.com allegro.pl amazon.com amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.co.jp amazon.in
amd.com americanexpress.com apache.org apple.com archive.org asus.com atlassian.com baidu.com bankofamerica.com bbc.co.uk bbc.com bestbuy.com
bing.com binance.com bloomberg.com booking.com box.com canva.com cdc.gov chase.com cisco.com citi.com cloudflare.com cnn.com coinbase.com
costco.com craigslist.org debian.org dell.com deutsche-bank.de dhl.com dhl.de digitalocean.com discord.com disney.com docker.com docusign.com
dropbox.com ebay.com ebay.co.uk ebay.de espn.com etsy.com expedia.com facebook.com fedex.com fidelity.com figma.com
forbes.com github.com gitlab.com godaddy.com google.com google.co.uk google.de gucci.com heroku.com hp.com hsbc.com huawei.com hulu.com
ibm.com ikea.com imdb.com indeed.com instagram.com intel.com intuit.com itv.com jetbrains.com jpmorgan.com kernel.org lenovo.com
lg.com linkedin.com lloydsbank.com mastercard.com mcdonalds.com medium.com mercadolibre.com meta.com microsoft.com mit.edu mozilla.org
nasa.gov netflix.com nike.com nokia.com notion.so nvidia.com nytimes.com office.com openai.com oracle.com ovh.com paypal.com pinterest.com
python.org quora.com redhat.com reddit.com reuters.com revolut.com roblox.com salesforce.com samsung.com santander.com sap.com shopify.com
siemens.com skype.com slack.com snapchat.com sony.com spotify.com squarespace.com stackoverflow.com stanford.edu steampowered.com stripe.com
target.com telegram.org tesla.com theguardian.com tiktok.com tripadvisor.com trello.com tumblr.com twitch.tv twitter.com uber.com ubuntu.com
ups.com usps.com vimeo.com visa.com vmware.com w3.org walmart.com washingtonpost.com weather.com wellsfargo.com whatsapp.com wikipedia.org
wise.com wix.com wordpress.com wordpress.org x.com yelp.com youtube.com zalando.de zendesk.com zoom.us
`);

/** Names that impostors put into addresses and domains. */
export const IMITATED_BRANDS = wordList(`
amazon americanexpress apple bankofamerica binance blockchain chase coinbase dhl docusign dropbox ebay facebook fedex google icloud
instagram intuit linkedin mastercard metamask microsoft netflix office365 onedrive outlook paypal revolut roblox santander sharepoint
steam stripe telegram usps venmo walmart wellsfargo whatsapp yahoo
`);

/** Top-level domains that abuse reports name far more often than their size explains. */
export const RISKY_TLDS = wordList(`
accountant accountants autos bar bid bond boats buzz cam casa center cf cfd christmas click club country cricket cyou date degree
download faith fit fun ga gdn gq hair haus homes icu kim lat link live loan lol makeup men ml mom monster motorcycles mov okinawa
online party pics pictures pw quest racing ren rest review sbs science shop site skin space stream su support surf tattoo tk tokyo top
trade uno vip wang webcam website win work world xin xyz yachts zip
`);

/** What countries call the level of their governments. */
export const GOVERNMENT_LABELS = wordList('gov gob gouv govt gub go gv mil gc gok fed dni nsn');
/** Governments outside those. */
export const GOVERNMENT_DOMAINS = wordList(`
europa.eu canada.ca bund.de bundesregierung.de bundestag.de gouvernement.fr governo.it overheid.nl rijksoverheid.nl regeringen.se
riksdagen.se government.nl belgium.be fgov.be regjeringen.no stortinget.no suomi.fi valtioneuvosto.fi gov.scot gov.wales parliament.uk
nhs.uk mod.uk nato.int un.org who.int admin.ch
`);
/** What countries call the level of their schools and universities. */
export const EDUCATION_LABELS = wordList('edu ac sch k12 schule');
/** Universities outside those. */
export const EDUCATION_DOMAINS = wordList(`
ethz.ch epfl.ch uzh.ch unibas.ch unibe.ch unige.ch unil.ch tum.de lmu.de kit.edu rwth-aachen.de hu-berlin.de fu-berlin.de tu-berlin.de
tu-darmstadt.de tu-dresden.de fau.de sorbonne-universite.fr polytechnique.fr ens.fr inria.fr sciencespo.fr kuleuven.be ugent.be ulb.be vub.be
uva.nl vu.nl tudelft.nl tue.nl uu.nl rug.nl ru.nl utwente.nl leidenuniv.nl eur.nl kth.se lu.se uu.se su.se chalmers.se liu.se gu.se ku.dk
dtu.dk au.dk aau.dk uio.no ntnu.no uib.no uit.no helsinki.fi aalto.fi tuni.fi unibo.it polimi.it polito.it uniroma1.it unimi.it unipd.it unito.it
uam.es ucm.es upm.es upc.edu uab.cat ulisboa.pt up.pt uc.pt tcd.ie ucd.ie cvut.cz cuni.cz muni.cz vut.cz uw.edu.pl bme.hu elte.hu
mcgill.ca utoronto.ca ubc.ca uwaterloo.ca ualberta.ca umontreal.ca ulaval.ca queensu.ca sfu.ca yorku.ca usp.br unicamp.br ufrj.br ufmg.br
msu.ru spbu.ru mipt.ru hse.ru
`);
/** Names of the form `uni-heidelberg.de`, `univ-paris.fr`, `fh-aachen.de`. */
export const EDUCATION_NAME =
  /^(?:uni|univ|universitaet|universite|tu|fh|th|hs|hochschule)-[a-z]|^(?:university|universidad|universidade)[a-z-]/;

/** Police by name: English, German, French, Spanish, Italian, Dutch, Polish, Nordic. */
export const POLICE_NAME =
  /(?:^|[.-])(?:police|polizei|policia|polizia|politie|policja|politi|polisen|poliisi|gendarmerie|carabinieri|guardiacivil|lapd|nypd|sheriff|europol|interpol)(?:[.-]|$)/;

export const STUDENT_LABELS = wordList(
  'student students stud studenti studente estudiante estudiantes etudiant etu etud alumni alum alumnos alunos aluno ogrenci learner pupil uczen',
);
