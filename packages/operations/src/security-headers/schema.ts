import { count, Enum, flag, text, texts } from '@vedette/contract';
import { FINDINGS, type FindingCode, GRADES, RESULTS, TESTS, type Result } from '@vedette/web/headers';
import { Type } from 'typebox';
import { integer } from '../kit/index.ts';

const TestEntry = Type.Object(
  {
    name: Enum(TESTS, { description: 'Name of the test, as the HTTP Observatory has it' }),
    result: Enum(Object.keys(RESULTS) as Result[], { description: 'Result of the test; docs/security-headers.md explains each' }),
    score_modifier: integer('Points of the result'),
    passed: flag('The HTTP Observatory counts the test as passed'),
    message: text('Meaning of the result'),
    recommendation: text('Change that improves the result; empty if there is none'),
    send: text('Header line that does it, as an example; empty if no line does it alone'),
  },
  { title: 'HeaderTest' },
);

const CookieEntry = Type.Object(
  {
    name: text('Name of the cookie'),
    domain: text('Host that the cookie is sent to'),
    host_only: flag('The cookie is not sent to subdomains of that host'),
    path: text('Path of the cookie'),
    secure: flag('The cookie is sent over https alone'),
    http_only: flag('Scripts cannot read the cookie'),
    same_site: Enum(['strict', 'lax', 'none', ''], { description: 'SameSite of the cookie; empty if it has none that browsers know' }),
    prefix: Enum(['__Host-', '__Secure-', ''], { description: 'Prefix of the name that promises attributes; empty without' }),
    rejected: flag('Browsers drop the cookie, since it lacks what the prefix of its name promises'),
  },
  { title: 'HeaderCookie' },
);

const FindingEntry = Type.Object(
  {
    code: Enum(Object.keys(FINDINGS) as FindingCode[], {
      description: 'Stable code of the finding; docs/security-headers.md explains each',
    }),
    type: Enum(['error', 'warning', 'information'], {
      title: 'HeaderFindingType',
      description: 'Severity of the finding; error means that the field does nothing or that its protection is void',
    }),
    header: text('Name of the field, in lower case'),
    message: text('Meaning of the finding'),
    parts: texts('Parts of the field that the finding is about, such as directives with their sources; empty for the whole field'),
    recommendation: text('Change that mends it'),
    send: text('Header line that does it, as an example; empty if no line does it alone'),
  },
  { title: 'HeaderFinding' },
);

const PolicyEntry = Type.Object(
  {
    disposition: Enum(['enforce', 'report'], { description: 'enforce blocks, report only tells' }),
    source: Enum(['header', 'meta'], { description: 'Source of the policy: a header, or a `meta` element of the page' }),
    directives: Type.Array(
      Type.Object({ name: text('Name of the directive'), values: texts('Values of the directive') }, { title: 'CspDirective' }),
      {
        description: 'Directives of the policy; of a repeated one the first',
      },
    ),
  },
  { title: 'ContentSecurityPolicy' },
);

export const SecurityHeadersReport = Type.Object({
  url: text('The requested URL'),
  final_url: text('URL of the judged answer; empty if none arrived'),
  status_code: integer('HTTP status of the judged answer; 0 if none arrived'),
  scored: flag('The answer is a page of the site, and has a score'),
  score: integer('Score of the HTTP Observatory: 0 to 100, and more with extra credit; 0 if `scored` is false'),
  grade: Enum([...GRADES.map(([grade]) => grade), ''], { description: 'Grade of the score; empty if `scored` is false' }),
  tests_passed: count('Tests that the HTTP Observatory counts as passed'),
  tests_failed: count('Tests that it counts as failed'),
  tests: Type.Array(TestEntry, { description: 'Result of each test that could be judged; empty if `scored` is false' }),
  issues_found: Type.Array(FindingEntry, { description: 'Findings about the headers, beside the score' }),
  missing: texts('Names of security headers that the judged answer lacks'),
  deprecated: texts('Names of headers in the judged answer that browsers no longer support'),
  csp: Type.Array(PolicyEntry, { description: 'Content security policies of the answer and its page' }),
  permissions_policy: Type.Array(
    Type.Object(
      { feature: text('Name of the feature'), allowlist: texts('Origins that may use the feature; empty for none') },
      { title: 'PermissionsPolicyFeature' },
    ),
    { description: 'Permissions-Policy by feature; empty if it is missing, invalid or longer than 8,192 characters' },
  ),
  reporting_endpoints: Type.Array(
    Type.Object({ name: text('Name of the endpoint'), url: text('URL of the endpoint, as written') }, { title: 'ReportingEndpoint' }),
    { description: 'Reporting-Endpoints; empty if it is missing, invalid or longer than 8,192 characters' },
  ),
  redirects: texts('URLs from the one over http to the last one'),
  hsts: Type.Object(
    {
      max_age: count('Seconds for which browsers keep to https; 0 if the field is missing or names none'),
      include_subdomains: flag('The field includes subdomains'),
      preload: flag('The field asks for preloading'),
      preload_eligible: flag('The field qualifies for preloading: a year, includeSubDomains and preload'),
      preloaded: flag('Browsers ship the name as https alone'),
    },
    { description: 'Strict-Transport-Security of the judged answer' },
  ),
  cookies: Type.Array(CookieEntry, { description: 'Cookies that the visit sets, without their values' }),
  raw_headers: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Headers of the judged answer: lower-case names, each with its values in the order received',
  }),
  not_checked: texts(
    'Fields of the report that could not be judged this time, and tests such as `tests.redirection`; their values say nothing or are left out',
  ),
  problems: texts('Gaps in the report and their causes, as sentences for people'),
});
