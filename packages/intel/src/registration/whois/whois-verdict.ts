/** The verdict of an answer without data. `limited`: the server does not want to be asked now, which says nothing of the domain. */
export type WhoisVerdict = 'unregistered' | 'reserved' | 'limited' | 'unreadable';

/** A refusal to answer, as registries word it: that something has happened, where terms of use say what would. */
const LIMITED = new RegExp(
  [
    '(?:limit|quota|rate|quer(?:y|ies)|requests?|connections?)s?(?: for \\S{1,45})? (?:has been |have been |was |is |control )?(?:exceeded|reached)\\b',
    '\\bexceeded .{0,60}(?:limit|quota|rate|quer(?:y|ies)|connections?|requests?|lookups)\\b',
    'too many (?:requests|queries|connections|lookups)',
    'excessive (?:querying|queries detected)',
    'try again (?:later|in|after)',
    'queried interval is too short',
    'grace period(?: of|, wait) \\d',
    'go away for \\d',
    'before starting another (?:enquiry|query)',
    '\\bonly \\d{1,6} (?:requests?|quer(?:y|ies)) per \\w{1,20} (?:is |are )?allowed',
    'access denied',
    'request denied',
    'can temporarily not be answered',
    '(?:ip|address|you|client|network|range) (?:address )?(?:has been |have been |is |are |was )(?:temporarily |currently )?(?:blocked|blacklisted|banned|denied|restricted|not permitted)',
    'requests of this client are not permitted',
    'requests? throttled',
    'temporarily unavailable',
    'server (?:is )?(?:too )?busy',
    'service (?:is )?unavailable',
  ].join('|'),
  'i',
);

/** Phrases for "not registered" at the start of a line. Every repetition has a bound: a server may send text that takes long to match. */
const NOT_FOUND = new RegExp(
  `^[ %#*>-]{0,40}(?:error(?::\\d{1,9}| \\d{1,9})?:?\\s{0,9})?(?:(?:(?:sorry|unfortunately),? (?:but )?|there (?:is|was) ))?(?:${[
    'no match(?:ing (?:record|domain(?: name)?))?\\b',
    'nincs tal[aá]lat\\b', // .hu
    'not (?:found|registered)\\b',
    'no (?:data|entr(?:y|ies)|records?|objects?|results?|information|such domain|domains?) (?:(?:was|were|is) )?(?:found|available|matched)',
    'no found\\s*$', // .tw
    'no (?:domain )?records? (?:were found to match|matching \\S{1,255} found)',
    'no such domain',
    'nothing found',
    'available\\s*$', // .za
    'no_se_encontro_el_objeto\\b', // .mx
    'el dominio no (?:se encuentra registrado|existe)',
    'domain:? (?:name )?(?:\\S{1,255} )?(?:(?:was|is) )?(?:not found|not registe?red|available for|free|does not exist|has not been registered)',
    'domain (?:name )?(?:\\S{1,255} )?is available\\.?\\s*$',
    'the queried object does not exist',
    'the (?:requested )?domain (?:name )?(?:\\S{1,255} )?(?:was not found|has not been registered|is not registered|is available)',
    'we could not find the requested domain',
    'object (?:\\S{1,255} )?(?:does not exist|not found)',
    'invalid query or domain name not known', // .tk
    'we do not have an entry in our database',
    'above domain name is not registered',
    'this domain (?:name )?(?:is available(?! in)|is not available in our whois database|is not registered|was not found|has not been registered)',
    '(?:domain )?status:\\s*(?:free|available|no object found|not registered|unassigned)\\s*(?:$|\\()',
    'query_status: 220',
    '\\S{1,255} is available\\.?\\s*$', // .co.ca
    '\\S{1,255} (?:- )?(?:domain name does not exist|no entries found|is free|is available for (?:registration|purchase)|not found|is not registered|no match|no existe)\\b',
  ].join('|')})`,
  'im',
);

/** That the registry keeps the name for itself. */
const RESERVED =
  /(?<!rights )reserved (?:by|for|domain|name|list)|(?:is|was|been|status:)\s+reserved|(?<!rights )reserved\b.{0,40}regist(?:ry|rar|ration)|cannot be registered|not allowed to be registered|restricted from registration|not available for second level registration|domain you requested is prohibited|registration (?:is )?(?:prohibited|not permitted)|blocked by (?:the )?regist(?:ry|rar)|premium (?:domain )?name/i;

/** Longer blocks are terms of use: their words about limits and reserved names are not an answer. */
const STATEMENT = { lines: 5, chars: 400, line: 160 };
/** Words behind these state a condition, and not a fact. */
const CONDITION = /\b(?:if|when|whenever|whoever|once|unless|may|might|should|would|will|shall|agree|avoid|prevent|reserves?)\b/i;
const MARKS = /^[ \t%#*>-]{0,40}/;
const COMMENT = /^[ \t]{0,40}[%#]/;
/** How registries begin what they say below each answer. */
const NOTICE = /^(?:please )?(?:notices?|notes?|terms|conditions|disclaimer|important|attention|copyright|legal|rights|usage|policy)\b/i;
/** Phrases about clients in general, in the clause of the limit. */
const IN_GENERAL =
  /^[^,;]{0,400}\b(?:leads? to|results? in|if|when|whenever|once|unless)\b|^(?!.{0,400}\byour?\b).{0,400}\bare (?:limited|blocked|banned|blacklisted|denied|refused|rejected|restricted|throttled|allowed)\b/i;
const TO_THIS_CLIENT = String.raw`\b(?:you|your (?:\w{1,20} ){0,2}\w{1,20}|this (?:client|address|ip)) `;
const HAPPENED_TO_THIS_CLIENT = new RegExp(`${TO_THIS_CLIENT}(?:has|have|was|were)\\b`, 'i');
/** Beside these a few words that stand alone, such as "Query limit exceeded.", below the label that there may be. */
const IS_SO_FOR_THIS_CLIENT = new RegExp(String.raw`${TO_THIS_CLIENT}(?:is|are)\b|^(?:[\w ]{1,20}:)?\s*\S+(?:\s+\S+){0,4}$`, 'i');

/** A sentence of an answer. `isNotice`: it stands below "not found", in what begins as a notice. */
interface Statement {
  text: string;
  isNotice: boolean;
}

/** A line of an answer without its marks. */
interface Line {
  bare: string;
  isComment: boolean;
}

/** The statements that say what has happened: those of short paragraphs, and the first line of others. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let answer: 'plain' | 'comment' | undefined;
  for (const paragraph of paragraphsOf(text)) {
    let isNotice = false;
    for (const { bare, isComment } of piecesOf(paragraph))
      for (const sentence of bare.split(/(?<=[.!?])\s/)) {
        isNotice ||= answer !== undefined && (NOTICE.test(sentence) || (isComment && answer === 'plain'));
        statements.push({ text: sentence, isNotice });
        if (NOT_FOUND.test(sentence)) answer ??= isComment ? 'comment' : 'plain';
      }
  }
  return statements;
}

function paragraphsOf(text: string): Line[][] {
  const paragraphs: Line[][] = [[]];
  for (const line of text.split('\n')) {
    const bare = line.replace(MARKS, '').trim();
    if (bare === '') paragraphs.push([]);
    else paragraphs.at(-1)!.push({ bare, isComment: COMMENT.test(line) });
  }
  return paragraphs;
}

/** The lines of a paragraph joined, but for those that say "not found", which stand for themselves. Only the first line of a long block counts. */
function piecesOf(lines: readonly Line[]): Line[] {
  const isShort = lines.length <= STATEMENT.lines && lines.reduce((sum, { bare }) => sum + bare.length + 1, 0) <= STATEMENT.chars + 1;
  const pieces: Line[] = [];
  let joins = false;
  for (const [index, line] of lines.entries()) {
    const isAnswer = NOT_FOUND.test(line.bare);
    if (!isShort && (line.bare.length > STATEMENT.line || (index > 0 && !isAnswer))) continue;
    if (joins && !isAnswer) pieces.at(-1)!.bare += ` ${line.bare}`;
    else pieces.push({ ...line });
    joins = isShort && !isAnswer;
  }
  return pieces;
}

function says(statements: readonly Statement[], pattern: RegExp, isLeftOut: (statement: Statement) => boolean = () => false): boolean {
  return statements.some((statement) => {
    const found = pattern.exec(statement.text);
    return found !== null && !CONDITION.test(statement.text.slice(0, found.index)) && !isLeftOut(statement);
  });
}

/** Whether a statement that speaks of limits is part of the terms of use of an answer that says "not found". */
const isTerm = ({ text, isNotice }: Statement): boolean =>
  !HAPPENED_TO_THIS_CLIENT.test(text) && (IN_GENERAL.test(text) || (isNotice && !IS_SO_FOR_THIS_CLIENT.test(text)));

/**
 * Judges an answer that has no data about the domain. Terms of use are left aside: they speak of limits, too. Where a refusal and "not found"
 * stand side by side the refusal counts, since taking one for "not registered" is the worse mistake; but not what happens in general, nor what
 * a notice below says.
 */
export function verdictOf(text: string): WhoisVerdict {
  const statements = statementsOf(text);
  const isNotFound = NOT_FOUND.test(text);
  if (says(statements, LIMITED, isNotFound ? isTerm : undefined)) return 'limited';
  if (isNotFound) return 'unregistered';
  return says(statements, RESERVED) ? 'reserved' : 'unreadable';
}

/** Statuses of formats that repeat the name in both cases (.de, .eu, .it, .be; CoCCA's). */
export const isFreeStatus = (status: string): boolean =>
  /^(?:free|available|no object found|not registered|not found)$/i.test(status.trim());

/** Statuses of names that the registry keeps for itself. */
export const isReservedStatus = (status: string): boolean => /^(?:reserved|unassignable|not allowed)\b/i.test(status.trim());

/** Statuses that prove a registration where nothing else is told. Others are refusals, such as "invalid", or sentences. */
export const isRegisteredStatus = (status: string): boolean =>
  /^(?:active|busy|client|connect|delegated|expired|granted|hold|inactive|in use|live|locked|not available|ok\b|pending|published|quarantine|redemption|registered|server|suspended|taken)/i.test(
    status.trim(),
  );
