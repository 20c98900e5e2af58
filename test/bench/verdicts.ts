// Precision and recall of the verdicts on labelled names, pages, addresses and mailboxes: VEDETTE_CORPUS=<folder> npm run bench -- verdicts. The folder's form is in
// verdicts/corpus.ts. HALF=calibrate shows the half that weights may be set by; the other half is the one to report.
import { shippedNames } from '@vedette/intel/names';
import { judgedAddresses } from './verdicts/addresses.ts';
import { Corpus } from './verdicts/corpus.ts';
import { loadLists } from './verdicts/load-lists.ts';
import { judgedMailboxes } from './verdicts/mailboxes.ts';
import { judgedRdap } from './verdicts/rdap.ts';
import { judgedAnswers } from './verdicts/whois.ts';
import { judgedNames, judgedPermutations } from './verdicts/names.ts';
import { judgedPages } from './verdicts/pages.ts';
import { judgedSeenPages } from './verdicts/seen.ts';
import { judgedUrls, urlJudge } from './verdicts/urls.ts';

const root = process.env['VEDETTE_CORPUS'];
if (root === undefined) {
  process.stdout.write('VEDETTE_CORPUS is not set: there is no corpus to measure by\n');
  process.exit(0);
}
const half = process.env['HALF'] === 'calibrate' ? 'calibrate' : 'report';
const corpus = new Corpus(root);
const names = shippedNames();
process.stdout.write(`half: ${half}\n`);
judgedNames(corpus, half, names);
judgedPermutations(corpus, names);
await judgedPages(corpus, half, names);
const lists = await loadLists(corpus);
await judgedAddresses(corpus, half, lists);
judgedMailboxes(corpus, half, lists);
const judgeUrl = urlJudge(lists);
await judgedUrls(corpus, half, judgeUrl);
await judgedSeenPages(corpus, half, names, judgeUrl);
judgedAnswers(corpus, half);
judgedRdap(corpus);
for (const folder of corpus.missing) process.stdout.write(`not measured, since it is not there: ${folder}\n`);
