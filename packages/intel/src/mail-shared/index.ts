export { domainName } from './domain-name.ts';
export { listing, shown } from './listing.ts';
export { type DnsPorts, type Lookup, lookUp, textOf } from './lookup.ts';
export { type BudgetedResolver, type Patience, QUERIES_MAX, QueryBudgetExceeded, withQueryBudget } from './query-budget.ts';
export { colonItems, parseTagList, type Tag, type TagList, tagValue } from './tag-list.ts';
