const DEPTH_MAX = 8;
const NODES_MAX = 2_000;
const SAME_AS_MAX = 100;
const ORGANIZATIONS = /^(?:Organization|Corporation|LocalBusiness|OnlineStore|OnlineBusiness|NewsMediaOrganization|Store|NGO)$/;
const PRICED = new Set(['Product', 'Offer', 'AggregateOffer']);

/** The first organisation that a page says it is of, as it is written; empty where it does not say. */
export interface LinkedOrganization {
  name: string;
  url: string;
  logo: string;
  sameAs: readonly string[];
}

export interface LinkedData {
  organization: LinkedOrganization | undefined;
  types: readonly string[];
  /** A product or an offer has a price. */
  hasPrice: boolean;
}

interface Found {
  organization: LinkedOrganization | undefined;
  types: Set<string>;
  hasPrice: boolean;
  nodes: number;
}
type Node = Readonly<Record<string, unknown>>;

/** Reads the used values of a JSON-LD script. Invalid JSON gives an empty result. */
export function readJsonLd(text: string): LinkedData {
  const found: Found = { organization: undefined, types: new Set(), hasPrice: false, nodes: 0 };
  walk(parsed(text), 0, found);
  return { organization: found.organization, types: [...found.types], hasPrice: found.hasPrice };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a SyntaxError, or too deep: a page is not bound to be right
  }
}

function walk(value: unknown, depth: number, found: Found): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || ++found.nodes > NODES_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, NODES_MAX)) walk(item, depth + 1, found);
    return;
  }
  const node: Node = { ...value };
  const types = textsOf(node['@type']);
  for (const type of types) if (found.types.size < NODES_MAX) found.types.add(type.slice(0, 40));
  if (textOf(node['name']) !== '' && types.some((type) => ORGANIZATIONS.test(type))) found.organization ??= organizationOf(node);
  if (types.some((type) => PRICED.has(type)) && (node['price'] ?? node['lowPrice']) !== undefined) found.hasPrice = true;
  for (const inner of Object.values(node).slice(0, NODES_MAX)) walk(inner, depth + 1, found);
}

const organizationOf = (node: Node): LinkedOrganization => ({
  name: textOf(node['name']),
  url: textOf(node['url']),
  logo: pictureOf([node['logo']].flat()[0]),
  sameAs: textsOf(node['sameAs']).slice(0, SAME_AS_MAX),
});

/** A picture is its URL, or an ImageObject that has one. */
function pictureOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return textOf(value);
  const node: Node = { ...value };
  return textOf(node['url']) || textOf(node['contentUrl']) || textOf(node['@id']);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] => [value].flat().filter((item) => typeof item === 'string');
