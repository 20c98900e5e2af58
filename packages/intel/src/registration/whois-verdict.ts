/** What an answer without data says. `limited`: the server does not want to be asked now, which says nothing of the domain. */
export type WhoisVerdict = 'unregistered' | 'reserved' | 'limited' | 'unreadable';

/** A refusal to answer, as registries word it: that something has happened, where terms of use say what would. */
const LIMITED =
  /(?:limit|quota|rate|quer(?:y|ies)|requests?|connections?)s? (?:has been |have been |was |is |control )?(?:exceeded|reached)\b|\bexceeded .{0,60}(?:limit|quota|rate|quer(?:y|ies)|connections?|requests?|lookups)\b|too many (?:requests|queries|connections|lookups)|try again (?:later|in|after)|queried interval is too short|access denied|(?:ip|address|you|client|network|range) (?:address )?(?:has been |have been |is |are |was )(?:temporarily |currently )?(?:blocked|blacklisted|banned|denied|restricted|not permitted)|requests of this client are not permitted|requests? throttled|temporarily unavailable|server (?:is )?(?:too )?busy|service (?:is )?unavailable/i;

/** That there is no such registration, at the start of a line. Whatever repeats has a bound: a server may send what takes long to read. */
const NOT_FOUND = new RegExp(
  `^[ %#*>-]{0,40}(?:error:\\d{1,9}:?\\s{0,9})?(?:${[
    'no match(?:ing record)?\\b',
    'not found\\b',
    'no (?:data|entr(?:y|ies)|records?|objects?|information|such domain) (?:(?:was|were|is) )?(?:found|available)',
    'no such domain',
    'nothing found',
    'domain (?:name )?(?:\\S{1,255} )?(?:(?:was|is) )?(?:not found|not registered|available for|free|does not exist|has not been registered)',
    'the queried object does not exist',
    'the domain (?:name )?(?:\\S{1,255} )?(?:was not found|has not been registered|is not registered|is available)',
    'object (?:does not exist|not found)',
    'we do not have an entry in our database',
    'above domain name is not registered',
    'this domain (?:name )?(?:is available|is not registered|was not found|has not been registered)',
    'status:\\s*(?:free|available)\\s*$',
    'query_status: 220',
    '\\S{1,255} (?:is free|is available for (?:registration|purchase)|not found|is not registered|no match)\\b',
  ].join('|')})`,
  'im',
);

/** That the registry keeps the name for itself. */
const RESERVED =
  /reserved (?:by|for|domain|name)|(?:is|was|been|status:)\s+reserved|reserved\b.{0,40}regist(?:ry|rar|ration)|cannot be registered|not allowed to be registered|registration (?:is )?(?:prohibited|not permitted)|blocked by (?:the )?regist(?:ry|rar)|premium (?:domain )?name/i;

const LEADING_LINES = 3;

/**
 * Judges an answer that has no data about the domain. A refusal is looked for before everything else at the start, since taking one for
 * "not registered" is the worse mistake; terms of use speak of limits too, further below.
 */
export function verdictOf(text: string): WhoisVerdict {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (LIMITED.test(lines.slice(0, LEADING_LINES).join('\n'))) return 'limited';
  if (RESERVED.test(lines.slice(0, LEADING_LINES).join('\n'))) return 'reserved';
  const whole = lines.join('\n');
  if (NOT_FOUND.test(whole)) return 'unregistered';
  if (LIMITED.test(whole)) return 'limited';
  return RESERVED.test(whole) ? 'reserved' : 'unreadable';
}

/** Statuses of formats that repeat the name in both cases (.de, .eu, .it, .be). */
export const isFreeStatus = (status: string): boolean => /^(?:free|available)$/i.test(status.trim());
