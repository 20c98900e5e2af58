/** The variables that any program may read: none is a secret, as NODE_AUTH_TOKEN and PGPASSWORD are. */
const PLAIN =
  /^(PATH|HOME|LANG|LANGUAGE|LC_[A-Z]+|TZ|TZDIR|TMPDIR|MALLOC_ARENA_MAX|UV_THREADPOOL_SIZE|NODE_(OPTIONS|EXTRA_CA_CERTS|COMPILE_CACHE)|SSL_CERT_(FILE|DIR))$/;

/** The part of an environment that every child gets, and the settings that it reads. */
export const plainEnvironment = (env: NodeJS.ProcessEnv, settings: readonly string[] = []): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => PLAIN.test(name) || settings.includes(name)));
