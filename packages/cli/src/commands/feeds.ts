import { readFile } from 'node:fs/promises';
import type { FeedStatus, SourceCheck } from '@vedette/contract';
import { Command } from 'commander';
import type { CliContext } from '../context/context.ts';
import { checkSources, checksTable } from '../context/source-checks.ts';
import { table } from '../context/table.ts';

const HOUR_S = 3_600;
const DAY_S = 86_400;

export function feedsCommand({ admin, show, progress, fail }: CliContext): Command {
  const feeds = new Command('feeds');
  feeds
    .command('list')
    .description('list feeds with rows in use, age and owner')
    .option('--all', 'include feeds that are off, with the reason')
    .action(async ({ all: withOff = false }: { all?: boolean }) => {
      const feeds = await admin.call<FeedStatus[]>('GET', ['feeds']);
      const shown = feeds.filter(({ enabled, origin }) => withOff || enabled || origin === 'imported');
      show(shown, (all) =>
        all.length === 0
          ? 'There is no feed.'
          : table(
              ['feed', 'age', 'rows', 'licence', 'source', 'last problem'],
              all.map((feed) => [
                feed.name,
                age(feed),
                feed.rows,
                feed.licence,
                feed.url,
                feed.problem || (feed.enabled ? '' : feed.note || 'turned off'),
              ]),
            ),
      );
    });
  feeds
    .command('refresh')
    .description('fetch feeds now; `vedette feeds list` shows the results')
    .argument('<names...>', 'names of feeds, as in `vedette feeds list`')
    .addHelpText('after', '\nExample:\n  $ vedette feeds refresh fakefilter')
    .action(async (names: string[]) => {
      for (const name of names) await admin.call('POST', ['feeds', name, 'refresh']);
      show(names, (all) => `${all.join(', ')}: on the way.`);
    });
  feeds
    .command('check')
    .description('try the sources of feeds from the gateway, and say what is wrong with each; exits with 1 if something is')
    .argument('[names...]', 'names of feeds; without them all feeds that are on')
    .option('--all', 'include feeds that are off: mind their terms (docs/feeds.md)')
    .addHelpText(
      'after',
      '\nNothing of what comes is used. Of a source that was tried a moment ago, the result of that is told.\n\nExample:\n  $ vedette feeds check tor-exits spamhaus-drop',
    )
    .action(async (named: string[], { all: withOff = false }: { all?: boolean }) => {
      const on = async () => (await admin.call<FeedStatus[]>('GET', ['feeds'])).filter(({ enabled }) => withOff || enabled);
      const names = named.length > 0 ? named : (await on()).map(({ name }) => name);
      const check = (name: string) => admin.call<SourceCheck>('POST', ['feeds', name, 'check'], { slow: true });
      const checks = await checkSources(names, check, progress);
      show(checks, (all) => (all.length === 0 ? 'There is no feed.' : checksTable('feed', all)));
      if (checks.some(({ verdict }) => verdict !== 'ok')) fail();
    });
  feeds
    .command('import')
    .description('use your own file instead of fetching a feed, if it passes the same checks: for closed networks')
    .argument('<name>', 'name of the feed, as in `vedette feeds list`; the feed may be off')
    .argument('<file>', 'the file as its source publishes it, with the same compression')
    .addHelpText('after', '\nExample:\n  $ vedette feeds import tor-exits torbulkexitlist')
    .action(async (name: string, path: string) => {
      const file = new Uint8Array(await readFile(path));
      show(await admin.call<FeedStatus>('PUT', ['feeds', name], { file }), ({ rows }) => `${name}: ${rows} rows are used from now on.`);
    });
  return feeds;
}

function age({ origin, age_seconds }: FeedStatus): string {
  if (origin === 'none') return '';
  const text = age_seconds < 2 * DAY_S ? `${Math.floor(age_seconds / HOUR_S)} h` : `${Math.floor(age_seconds / DAY_S)} d`;
  return origin === 'source' ? text : `${text}, ${origin === 'shipped' ? 'as shipped' : 'imported'}`;
}
