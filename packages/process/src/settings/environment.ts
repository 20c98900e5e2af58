/** What any program may know of its surroundings: nothing here is a secret, as NODE_AUTH_TOKEN and PGPASSWORD are. */
const PLAIN =
  /^(PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TMPDIR|MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|NODE_(OPTIONS|EXTRA_CA_CERTS|COMPILE_CACHE)|SSL_CERT_(FILE|DIR))$/;

/** What of an environment a child may have whatever it does, and the settings that it reads. */
export const plainEnvironment = (env: NodeJS.ProcessEnv, settings: readonly string[] = []): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PLAIN.test(name) || settings.includes(name)));
