export { domainName } from './domain-name.ts';
export { type DnsPorts, type Lookup, lookUp, textOf } from './lookup.ts';
export { type BudgetedResolver, type Patience, QUERIES_MAX, QueryBudgetExceeded, withQueryBudget } from './query-budget.ts';
