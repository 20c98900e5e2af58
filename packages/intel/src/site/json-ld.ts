const DEPTH_MAX = 8;
const NODES_MAX = 2_000;
const ORGANIZATIONS = /^(?:Organization|Corporation|LocalBusiness|OnlineStore|OnlineBusiness|NewsMediaOrganization|Store|NGO)$/;
const PRICED = new Set(['Product', 'Offer', 'AggregateOffer']);

interface LinkedData {
  /** Name of the first organisation; empty without. */
  organization: string;
  types: readonly string[];
  /** A product or an offer has a price. */
  hasPrice: boolean;
}

/** Reads a JSON-LD script as far as checks ask for it. What is no JSON says nothing. */
export function readJsonLd(text: string): LinkedData {
  const found = { organization: '', types: new Set<string>(), hasPrice: false, nodes: 0 };
  walk(parsed(text), 0, found);
  return { ...found, types: [...found.types] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a SyntaxError, or too deep: a page is not bound to be right
  }
}

function walk(value: unknown, depth: number, found: { organization: string; types: Set<string>; hasPrice: boolean; nodes: number }): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX || ++found.nodes > NODES_MAX) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, NODES_MAX)) walk(item, depth + 1, found);
    return;
  }
  const node: Readonly<Record<string, unknown>> = { ...value };
  const types = [node['@type']].flat().filter((type) => typeof type === 'string');
  for (const type of types) if (found.types.size < NODES_MAX) found.types.add(type.slice(0, 40));
  const { name } = node;
  if (typeof name === 'string' && types.some((type) => ORGANIZATIONS.test(type))) found.organization ||= name;
  if (types.some((type) => PRICED.has(type)) && (node['price'] ?? node['lowPrice']) !== undefined) found.hasPrice = true;
  for (const inner of Object.values(node).slice(0, NODES_MAX)) walk(inner, depth + 1, found);
}
