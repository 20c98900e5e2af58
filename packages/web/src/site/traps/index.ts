import { shown } from '@vedette/contract';
import type { SiteEvidence } from '../evidence.ts';
import type { Landing } from '../visit/main-visit.ts';
import { credentialTrap } from './credential-trap.ts';
import { fakeAlert } from './fake-alert.ts';
import { pasteAndRun } from './paste-and-run.ts';
import { posingPage } from './posing-page.ts';
import { secretSink } from './secret-sink.ts';
import { smuggledProgram } from './smuggled-program.ts';
import { walletPhrase } from './wallet-phrase.ts';

interface Trap {
  /** The most that a site with such a page is trusted. */
  cap: number;
  says: string;
  advice: string;
  /** The evidence; empty without it. */
  find(landing: Landing, evidence: SiteEvidence): string;
}

/** The traps that a page can be. docs/site-trust.md has this table. */
export const TRAPS = {
  paste_and_run: {
    cap: 15,
    says: 'The page copies a command into the clipboard and has its visitor run it',
    advice: 'Press no keys and paste nothing; a machine where it was run is infected',
    find: pasteAndRun,
  },
  smuggled_program: {
    cap: 15,
    says: 'The page carries a Windows program in a script that can save it by itself',
    advice: 'Delete the file unopened',
    find: smuggledProgram,
  },
  fake_alert: {
    cap: 20,
    says: 'The page holds its visitor with a false alarm and a telephone number',
    advice: 'Do not call; close the browser by its process',
    find: fakeAlert,
  },
  wallet_phrase: {
    cap: 20,
    says: 'The page takes the recovery phrase of a wallet',
    advice: 'Type no phrase; move the funds of a wallet whose phrase was typed',
    find: walletPhrase,
  },
  secret_sink: {
    cap: 35,
    says: 'The page sends a password, a card or a recovery phrase into a chat or a mailbox',
    advice: 'Type nothing; change what was typed',
    find: (landing) => secretSink(landing),
  },
  credential_trap: {
    cap: 40,
    says: 'The page asks for secrets under a pretext, or in the name of a brand that it is not',
    advice: "Type nothing; go to the brand's own site, and change what was typed",
    find: credentialTrap,
  },
  posing_page: {
    cap: 40,
    says: 'The page poses as a brand that it is not',
    advice: "Go to the brand's own site; download nothing here and call nobody",
    find: posingPage,
  },
} as const satisfies Record<string, Trap>;
export type TrapName = keyof typeof TRAPS;
export type FoundTrap = readonly [name: TrapName, detail: string];

const FOUND_MAX_CHARS = 500;
/** Characters that are not shown: one of them within a name hides it from machines, and not from people. */
const UNSEEN = /\p{Cf}/gu;
const seen = (text: string): string => text.replaceAll(UNSEEN, '');

/** A page's words as people see them. */
function asSeen(landing: Landing): Landing {
  const { page } = landing;
  const info = { ...page.info, title: seen(page.info.title), og_site_name: seen(page.info.og_site_name) };
  const forms = page.forms.map((form) => ({ ...form, fields: form.fields.map(seen) }));
  return { ...landing, page: { ...page, info, text: seen(page.text), headings: page.headings.map(seen), forms } };
}

/** The traps that a page is, each with its sentence, its evidence and the advice. A guard's page is not the site's. */
export function trapsOf(landing: Landing | undefined, evidence: SiteEvidence): FoundTrap[] {
  if (landing?.guard !== '') return [];
  const page = asSeen(landing);
  return (Object.entries(TRAPS) as [TrapName, Trap][]).flatMap(([name, { find, says, advice }]) => {
    const found = find(page, evidence);
    return found === '' ? [] : [[name, `${says}: ${shown(found, FOUND_MAX_CHARS)}. ${advice}`] as const];
  });
}
