/** What an answer without data says. `limited`: the server does not want to be asked now, which says nothing of the domain. */
export type WhoisVerdict = 'unregistered' | 'reserved' | 'limited' | 'unreadable';

/** A refusal to answer, as registries word it; never a word on a domain. */
const LIMITED =
  /\b(?:limit|quota|rate)s? (?:has been |was |is |control )?(?:exceeded|reached)|exceeded .{0,60}(?:limit|quota|rate|quer(?:y|ies)|connections?|requests?|lookups)\b|too many (?:requests|queries|connections|lookups)|try again (?:later|in|after)|queried interval is too short|access (?:has been |is |was )?(?:denied|blocked|restricted|refused)|(?:ip|address|you|client|network|range) (?:address )?(?:has been |have been |is |are |was )(?:temporarily |currently )?(?:blocked|blacklisted|banned|denied|restricted|not permitted)|requests of this client are not permitted|blacklisted|request(?:s)? throttled|temporarily unavailable|server (?:is )?busy|service (?:is )?unavailable|maximum query rate/i;

/** That there is no such registration, at the start of a line. */
const NOT_FOUND =
  /^[\s%#*>]*(?:no match\b|not found\b|no (?:data|entries|records?|object|information|such domain|matching record)s? (?:was |were |is |)?(?:found|available)?|domain (?:name )?(?:[^\s]+ )?(?:was |is )?(?:not found|not registered|available for|is free|does not exist|has not been registered)|domain not found|the (?:queried object does not exist|domain (?:name )?(?:[^\s]+ )?(?:was not found|has not been registered|is not registered|is available|you requested is not))|object (?:does not exist|not found)|no such domain|nothing found|we do not have an entry in our database|above domain name is not registered|(?:this|the requested) (?:domain|query) (?:name )?(?:is available|returned 0 objects for|is not registered|was not found|has not been registered)|status:\s*(?:free|available)\s*$|[^\s]+ (?:is free|is available for (?:registration|purchase)|not found\b|is not registered|no match\b)|domain "?[^\s]+"? (?:not found|is available|has not been registered)|-?\d* ?no entries found|query_status: 220)/im;

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
  if (NOT_FOUND.test(text)) return 'unregistered';
  if (LIMITED.test(text)) return 'limited';
  return RESERVED.test(text) ? 'reserved' : 'unreadable';
}

/** Statuses of formats that repeat the name in both cases (.de, .eu, .it, .be). */
export const isFreeStatus = (status: string): boolean => /^(?:free|available)$/i.test(status.trim());
