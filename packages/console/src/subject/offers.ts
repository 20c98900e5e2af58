import { type Field, OPERATIONS, type Operation } from '../api/operations.ts';
import { isV6, type Subject, type SubjectKind, V4 } from './understand.ts';

/** An operation that a subject fits, with the request that it makes of it. */
export interface Offer {
  operation: Operation;
  request: Readonly<Record<string, unknown>>;
  /** Whether the request can be sent as it stands; else a field is left to choose. */
  isComplete: boolean;
}

/** Names of the fields that take a kind, and what each is given. */
const FIELDS: Readonly<Record<SubjectKind, (subject: Subject) => Readonly<Record<string, string>>>> = {
  url: ({ value }) => ({ url: value, host: URL.canParse(value) ? new URL(value).hostname.replace(/^\[|\]$/g, '') : value }),
  address: ({ value }) => ({ ip: value, host: value }),
  email: ({ value }) => ({ email: value, host: value.split('@').at(-1)! }),
  asn: ({ value }) => ({ asn: value }),
  phone: ({ value }) => ({ number: value }),
  host: ({ value }) => ({ host: value, url: `https://${value}/` }),
  eml_base64: ({ value }) => ({ eml_base64: value }),
  html_base64: ({ value }) => ({ html_base64: value }),
  image_base64: ({ value }) => ({ image_base64: value }),
};

/** Whether an operation takes one of several subjects, so that none is required. */
export const takesEither = ({ fields }: Operation): boolean => fields.every(({ required }) => !required);

/** Whether a field named `host` takes an address: its description says so. */
const takesAddress = ({ name, description = '' }: Field): boolean => name === 'ip' || /address/i.test(description);

/** The subject's own field before those that only a part of it fits. */
const DIRECT: Readonly<Record<SubjectKind, string>> = {
  url: 'url',
  address: 'ip',
  email: 'email',
  asn: 'asn',
  phone: 'number',
  host: 'host',
  eml_base64: 'eml_base64',
  html_base64: 'html_base64',
  image_base64: 'image_base64',
};

/** The operations that a subject fits, those that take it as it is before those that take a part of it. */
export function offersOf(subject: Subject): Offer[] {
  const values = FIELDS[subject.kind](subject);
  const isInner = V4.test(values['host'] ?? '') || isV6(values['host'] ?? '');
  const offers = OPERATIONS.flatMap((operation): (Offer & { isDirect: boolean })[] => {
    const field = operation.fields.find(({ name, required }) => values[name] !== undefined && (required || takesEither(operation)));
    if (field === undefined || (field.name === 'host' && isInner && !takesAddress(field))) return [];
    const port = subject.port !== undefined && operation.fields.some(({ name }) => name === 'port') ? { port: subject.port } : {};
    const rest = operation.fields.filter((other) => other.required && other !== field);
    const request: Record<string, unknown> = { [field.name]: values[field.name], ...port };
    for (const { name, example } of rest) if (request[name] === undefined && example !== undefined) request[name] = example;
    return [{ operation, request, isComplete: rest.every(({ name }) => name in request), isDirect: field.name === DIRECT[subject.kind] }];
  });
  return [...offers.filter(({ isDirect }) => isDirect), ...offers.filter(({ isDirect }) => !isDirect)].map(
    ({ operation, request, isComplete }) => ({ operation, request, isComplete }),
  );
}
