// An agent as a process of its own, for tests that kill and freeze: node agent-process.ts <url> <location> <agent>
import { startAgent } from './world.ts';

const [url = '', location = '', agent = ''] = process.argv.slice(2);
const { serving, bus, log } = await startAgent({ url, location, agent });
process.on('SIGTERM', () => {
  void serving.drain().then(async () => {
    await bus.close();
    process.exit(0);
  });
});
process.on('disconnect', () => process.exit(1)); // the test is gone
process.on('message', () => process.send!(log.started.length));
process.send!('ready');
