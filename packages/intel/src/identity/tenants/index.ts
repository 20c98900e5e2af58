export { copiedWallet } from './wallets.ts';
export { TENANT_CAMPAIGNS, tenantCampaignOf, type TenantCampaign } from './campaigns.ts';
