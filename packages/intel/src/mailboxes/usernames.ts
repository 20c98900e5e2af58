import { wordList } from '../names/index.ts';

/** Mail to these is thrown away, whatever stands between the words. */
export const NO_REPLY =
  /^(?:(?:no|not|dont|donot|do-not|never)[-_.]?(?:reply|respond|response|answer|return)|noreply|nao[-_.]?responda|no[-_.]?responder|ne[-_.]?pas[-_.]?repondre|keine[-_.]?antwort|nicht[-_.]?antworten)(?:[-_.+]|\d|$)/;
/** The same at the end of a longer name, such as `orders-noreply`. */
export const NO_REPLY_END = /(?:^|[-_.+])(?:no[-_.]?reply|do[-_.]?not[-_.]?reply)$/;

/** Obscenities and insults that no name and no honest word contains: found anywhere in a word. */
export const OBSCENITIES = wordList(`
asshole blowjob bullshit cocksucker dickhead fuckoff fuckyou jackass jerkoff motherfucker shithead arschloch hurensohn vaffanculo gilipollas
`);
/**
 * Obscene words that are part of honest words (Scunthorpe, Tischlampe, salopette, snigger, Merdeka) or names (Fuckner, Fuckar): found only
 * as a whole word.
 */
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
