// HEALTHCHECK of the images: whether the operators' listener answers that the process lives. They have no curl, and the agent's no shell.
import { get } from 'node:http';

const { VEDETTE_OPS_HOST: host = '127.0.0.1', VEDETTE_OPS_PORT: port = '9464' } = process.env;
get({ host, port, path: '/healthz', timeout: 3000 }, (response) => process.exit(response.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1));
