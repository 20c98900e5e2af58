import type { AsType } from '@vedette/contract';

/** ipverse's categories in the contract's words. */
const CATEGORIES: Record<string, AsType> = {
  isp: 'isp',
  hosting: 'hosting',
  business: 'business',
  education_research: 'education',
  government_admin: 'government',
};

/** The kind of an autonomous system, of what is said of it. */
export function asTypeOf({ category }: { asn: number; org: string; category: string }): AsType {
  return CATEGORIES[category] ?? 'business';
}
