import type { Landing } from '../visit/main-visit.ts';

const TO_CLIPBOARD = /clipboard\.write(?:Text)?\(|execCommand\(\s*['"]copy|clipboardData\.setData/;
// Runs are bounded: pages are the work of strangers, and these follow one another.
const RUN_DIALOG =
  /(?:\bwin(?:dows)?\b|⊞|🪟)[\s"'”)\]]{0,4}(?:key|button|logo(?: key)?)?[\s"'”)\]]{0,4}[(+]?[\s"'“([]{0,4}\br\b|\bwin(?:dows)?\s{0,3}\+\s{0,3}[rx]\b|\brun dialog/i;
const TERMINAL = /\bterminal\b|\bpowershell\b|\bcommand prompt\b|\beingabeaufforderung\b/i;
const PASTE = /(?:ctrl|strg|control|cmd|command|⌘)[\s"'”)\]]{0,4}\+?[\s"'“([]{0,4}\bv\b|\bpaste\b|\beinfügen\b|\bpegar?\b|\bcollez\b/i;
const COMMAND =
  /\b(?:powershell|pwsh|mshta|msiexec|rundll32|regsvr32|wscript|cscript|bitsadmin|certutil)(?:\.exe)?\s[^'"`\n]{4}|\bcmd(?:\.exe)?\s\/[ck]\b|\bcurl\s+-[^'"`\n]{6}|\bwget\s+http|\bi(?:ex|wr|rm)\s*[($]|invoke-(?:expression|webrequest)|\bosascript\s+-e|base64\s+(?:-d|--decode)|\|\s*(?:ba|z)?sh\b/i;
const PROVES_HUMAN =
  /\b(?:verify|confirm|prove|check)\w{0,3}(?: that| if| whether)? you(?: are|['’]re) (?:a |not a )?(?:real )?(?:human|person|(?:ro)?bot)\b|\bi(?: am|['’]m) (?:a human|human\b|not a (?:ro)?bot|no robot)|\bare you (?:a )?(?:human|robot)\b|\bhuman verification\b|\b(?:verify|prove) (?:yourself|your humanity)|\bkein roboter|no soy un robot|je ne suis pas un robot/i;
/** A page of more text than this explains. */
const CHARS_MAX = 3_000;

/**
 * Returns the evidence that a page has its visitor paste and run a command ("ClickFix"). It copies by script, and names the keys. It hides the command, or
 * has it prove that a human is there. Where it names a terminal and no keys, it does both. Manuals show the commands that they offer to copy. Empty
 * without it.
 */
export function pasteAndRun({ page }: Landing): string {
  const code = [...page.inlineScripts, page.handlers].join('\n');
  const { text } = page;
  const said = `${page.info.title} ${text}`;
  if (text.length > CHARS_MAX || !TO_CLIPBOARD.test(code) || !PASTE.test(said)) return '';
  const keys = RUN_DIALOG.exec(said)?.[0];
  const human = PROVES_HUMAN.exec(said)?.[0];
  if (keys === undefined && !(human !== undefined && TERMINAL.test(said))) return '';
  const command = COMMAND.exec(code)?.[0];
  const hides = command !== undefined && !text.includes(command.trim());
  if (!hides && (human === undefined || keys === undefined)) return '';
  return `it copies ${hides ? `a command that it does not show ("${command.trim().slice(0, 40)}")` : 'something by script'}, says "${keys ?? 'terminal'}" and to paste${human === undefined ? '' : `, as a proof ("${human}")`}`;
}
