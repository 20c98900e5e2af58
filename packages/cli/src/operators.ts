import type { Command } from 'commander';
import type { CliContext } from './context/context.ts';

/** The operators' commands: what each is about, and what makes it. A command's modules are loaded once it is named. */
export const OPERATORS: Readonly<Record<string, readonly [string, () => Promise<(context: CliContext) => Command>]>> = {
  plans: ['plans: credits of accounts per month', async () => (await import('./commands/plans.ts')).plansCommand],
  accounts: ['accounts, which own keys and credits', async () => (await import('./commands/accounts.ts')).accountsCommand],
  keys: ['API keys, which clients send as X-API-Key', async () => (await import('./commands/keys.ts')).keysCommand],
  lockouts: [
    'addresses blocked for an hour after ten invalid keys within ten minutes',
    async () => (await import('./commands/lockouts.ts')).lockoutsCommand,
  ],
  deny: ['targets that this service never contacts', async () => (await import('./commands/deny.ts')).denyCommand],
  locations: [
    'locations of agents; each has its entry in reports until it is removed',
    async () => (await import('./commands/fleet/locations.ts')).locationsCommand,
  ],
  feeds: [
    'datasets of others that this gateway uses, and refreshes while it runs',
    async () => (await import('./commands/feeds.ts')).feedsCommand,
  ],
  pdns: ['passive DNS: names seen at addresses, the data of reverse-ip', async () => (await import('./commands/pdns.ts')).pdnsCommand],
  engines: [
    'blacklists that this gateway queries about addresses and names',
    async () => (await import('./commands/engines.ts')).enginesCommand,
  ],
  audit: ['the log of measurements, and the log of operators', async () => (await import('./commands/audit.ts')).auditCommand],
  bus: ['the message bus between gateways, agents and renderers', async () => (await import('./commands/fleet/bus.ts')).busCommand],
  fleet: [
    'the message bus of many machines, and the locations whose agents may join it',
    async () => (await import('./commands/fleet/fleet.ts')).fleetCommand,
  ],
  agent: ['make this machine a vantage point', async () => (await import('./commands/fleet/agent.ts')).agentCommand],
  backup: [
    "write all of a gateway's data into one file, while it runs: accounts, keys, credits, locations, logs, passive DNS",
    async () => (await import('./commands/backup.ts')).backupCommand,
  ],
  restore: [
    'fill a new database from a backup, completely or not at all; its gateway must not run',
    async () => (await import('./commands/backup.ts')).restoreCommand,
  ],
  doctor: [
    'check this machine: ICMP, DNS, bus, clock, IPv6, gateway; exits with 1 if a check fails',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  ],
};
