if (Number.parseInt(process.versions.node, 10) < 26) {
  process.stderr.write(`vedette agent: needs Node 26 or newer, this is ${process.version}; start it with \`npm run agent\`\n`);
  process.exit(1);
}
// Only now: what follows may not even load on an older Node.
const { runAgent } = await import('./agent.ts');
await runAgent(process.env, process.argv.slice(2));
