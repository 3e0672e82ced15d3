import { resolve } from 'node:path';
import { parseAddressOrNetwork, parseEndpoint, parseNameServer } from './networks.ts';
import {
  amount,
  autoOr,
  bucket,
  corsOrigin,
  crontabTime,
  directoryOrBucket,
  httpsAddress,
  httpUrl,
  integer,
  list,
  mailAddress,
  oneOf,
  postgresUrl,
  redisUrl,
  secretKey,
  smtpUrl,
  someOrNone,
  text,
  tier,
  trimmed,
} from './readers.ts';

/** One setting: how its text is read, its default, and its description for the operator. */
type Setting<Value> = {
  parse: (text: string) => Value;
  /**
   * The default as a text, so that the documentation shows what an operator would write. Null if there is no default.
   */
  default: string | null;
  about: string;
};

const setting = <Value>(parse: (text: string) => Value, fallback: string, about: string): Setting<Value> => ({
  parse,
  default: fallback,
  about,
});
const optional = <Value>(parse: (text: string) => Value, about: string): Setting<Value | null> => ({
  parse,
  default: null,
  about,
});

/**
 * All settings. They are in one long file, because docs/settings.md is generated from this table. A test checks that
 * both agree.
 */
export const settings = {
  PORT: setting(integer(0, 65_535), '3000', 'Port of the API. 0 means any free port.'),
  BOTTEGA_HOST: setting(
    text,
    '127.0.0.1',
    'Address to listen on. Use `0.0.0.0` or `::` to accept connections from other machines; `BOTTEGA_PUBLIC_URL` is then required.',
  ),
  BOTTEGA_PUBLIC_URL: optional(
    httpUrl,
    'Address that clients use to reach the service. It appears in links and is the audience of JWTs. Default: `http://localhost:PORT`, or https if the service uses TLS.',
  ),
  BOTTEGA_TLS: optional(
    oneOf('acme'),
    '`acme`: the service uses TLS, and obtains and renews its certificates itself. By setting it you agree to the terms of the certificate authority. Requires `BOTTEGA_PUBLIC_URL` and `BOTTEGA_ACME_EMAIL`.',
  ),
  BOTTEGA_TLS_CERT: optional(
    (value) => resolve(text(value)),
    'PEM file with your own certificate and its chain; the service then uses TLS. The file is reloaded when it changes.',
  ),
  BOTTEGA_TLS_KEY: optional((value) => resolve(text(value)), 'PEM file with the private key of `BOTTEGA_TLS_CERT`.'),
  BOTTEGA_ACME_EMAIL: optional(mailAddress, 'Your contact address at the certificate authority.'),
  BOTTEGA_ACME_DIRECTORY: setting(
    httpsAddress,
    'https://acme-v02.api.letsencrypt.org/directory',
    'URL of the ACME directory of the certificate authority.',
  ),
  BOTTEGA_ACME_APPS: setting(
    integer(0, 100_000),
    '40',
    'Maximum number of app addresses, below the host of `BOTTEGA_APPS_URL`, that can get their first certificate per week. An address gets its certificate at the first visit. One account can use a quarter of the limit. Half of the limit is reserved for accounts that got no certificate in that week. Let’s Encrypt allows 50 for each registered domain.',
  ),
  BOTTEGA_ACME_DOMAINS: setting(
    integer(0, 100_000),
    '100',
    'Maximum number of custom domains that can get their first certificate per week. A domain gets its certificate as soon as it points to this service. One account or registered domain can use a quarter of the limit. Half of the limit is reserved for accounts that got no certificate in that week.',
  ),
  BOTTEGA_HTTP_PORT: optional(
    integer(0, 65_535),
    'Port that redirects HTTP to HTTPS if the service uses TLS; 0 means no port. Default: 80 if `PORT` is 443, otherwise no port.',
  ),
  BOTTEGA_DATA_DIR: setting(
    (value) => resolve(text(value)),
    '.bottega',
    'Directory of the embedded database and the generated secret key.',
  ),
  DATABASE_URL: optional(
    postgresUrl,
    'URL of an external PostgreSQL server (15 or newer) to use instead of the embedded server, or of a pooler in front of it, such as PgBouncer in transaction mode.',
  ),
  DATABASE_SESSION_URL: optional(
    postgresUrl,
    'If `DATABASE_URL` is a pooler: URL of the PostgreSQL server itself, for features that need a session of their own (`LISTEN`, locks, prepared statements).',
  ),
  DATABASE_READ_URL: optional(
    postgresUrl,
    'URL of a streaming-replication standby of the PostgreSQL server. Searches, histories, comparisons and lists of whole trees read from it, unless it lags too far behind.',
  ),
  BOTTEGA_READ_LAG: setting(
    integer(1, 60),
    '2',
    'Maximum lag of `DATABASE_READ_URL` in seconds. If the lag is larger, and for this long after a change by the caller, reads go to the primary.',
  ),
  REDIS_URL: optional(
    redisUrl,
    'URL of a Redis server (6 or newer) that several nodes share. Rate limits are then exact across all nodes, and nodes receive each other’s events immediately. Redis stores no data that must be kept.',
  ),
  BOTTEGA_REDIS_PATIENCE: setting(
    integer(5, 10_000),
    '50',
    'Maximum milliseconds that a request waits for Redis. After that, the request is counted without Redis, and Redis is not used for one second.',
  ),
  BOTTEGA_DATABASE_POOL: setting(
    integer(2, 500),
    '20',
    'Maximum database connections of one node. The API processes of the node share them. The job process has as many connections as one API process.',
  ),
  BOTTEGA_PROCESSES: setting(
    autoOr(integer(1, 64)),
    'auto',
    'Number of API processes, in addition to one process for jobs, builds and deliveries and one that supervises them. `1`: one process does everything. `auto`: one on two cores, one per core from three on, at most 8; one process for everything on a single core or below 1 GiB of memory. Only Linux and the BSDs can share a port; on other systems, including macOS, one process does everything.',
  ),
  BOTTEGA_SECRET_KEY: optional(
    secretKey,
    'Key that encrypts secrets at rest: 32 bytes in hex or base64. Default: a key that is generated in the data directory. All nodes must use the same key.',
  ),
  BOTTEGA_TRUSTED_PROXIES: setting(
    list(parseAddressOrNetwork),
    '',
    'Addresses and CIDR networks, separated by commas, whose `X-Forwarded-For` header is trusted.',
  ),
  BOTTEGA_LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'Log level.'),
  BOTTEGA_BODY_LIMIT: setting(
    integer(1024, 1_073_741_824),
    '1048576',
    'Maximum size of a JSON body, in bytes. A larger body causes a 413.',
  ),
  BOTTEGA_FILE_LIMIT: setting(integer(1024, 104_857_600), '10485760', 'Maximum size of a file in a project, in bytes.'),
  BOTTEGA_FILE_BODY_LIMIT: setting(
    integer(1024, 1_073_741_824),
    '16777216',
    'Maximum body size of a request that writes files, in bytes. A file in base64 is a third larger than the file.',
  ),
  BOTTEGA_PUSH_PACK_LIMIT: setting(
    integer(1024, 4_294_967_296),
    '268435456',
    'Maximum pack size of one git push or import, in bytes, as sent. A push is also limited to the remaining storage of the owner’s plan plus 4 MiB.',
  ),
  BOTTEGA_PUSH_OBJECT_LIMIT: setting(
    integer(1, 5_000_000),
    '250000',
    'Maximum number of git objects in one push or import.',
  ),
  BOTTEGA_PUSH_UNPACKED_LIMIT: setting(
    integer(1024, 68_719_476_736),
    '4294967296',
    'Maximum total size of all unpacked objects in one push or import, in bytes.',
  ),
  BOTTEGA_GIT_CACHE_LIMIT: setting(
    integer(0, Number.MAX_SAFE_INTEGER),
    '4294967296',
    'Maximum size of the repository caches in the data directory, in bytes. The least recently used caches are removed first.',
  ),
  BOTTEGA_GIT_PROCESSES: setting(
    integer(1, 1000),
    '16',
    'Maximum number of concurrent clones, fetches, pushes and archives on one node. Further operations wait. One account can use at most a quarter of them.',
  ),
  BOTTEGA_GIT_MEMORY: optional(
    integer(536_870_912, Number.MAX_SAFE_INTEGER),
    'Maximum memory for all git processes of one node together, in bytes. Default: a quarter of the machine’s memory. The node runs one concurrent git operation per 512 MiB.',
  ),
  BOTTEGA_IMPORT_ALLOW: optional(
    list(parseAddressOrNetwork),
    'Addresses and CIDR networks, separated by commas, from which repositories can be imported, in addition to public addresses. Default: loopback if the public URL is loopback.',
  ),
  BOTTEGA_WEBHOOK_ALLOW: optional(
    list(parseEndpoint),
    'Destinations that webhooks can use in addition to public HTTPS addresses, separated by commas: addresses, CIDR networks, and hosts such as `hooks.internal` or `hooks.internal:8080`, each with http and https. Default: loopback if the public URL is loopback. The service itself is never allowed.',
  ),
  BOTTEGA_WEBHOOK_CONCURRENCY: setting(
    integer(1, 1000),
    '10',
    'Maximum concurrent deliveries from one node to one webhook. A failing webhook gets one delivery at a time.',
  ),
  BOTTEGA_WEBHOOK_BODY_LIMIT: setting(
    integer(0, 1_048_576),
    '16384',
    'Maximum number of bytes to store of a delivery’s response, after decompression.',
  ),
  BOTTEGA_WEBHOOK_PAUSE: setting(
    integer(1, 86_400),
    '10',
    'Length of a webhook’s first pause after four failed deliveries in a row, in seconds. Each further pause is twice as long, at most a day.',
  ),
  BOTTEGA_WEBHOOK_LEASE: setting(
    integer(1, 3600),
    '20',
    'Seconds without a heartbeat after which other nodes take over the deliveries of a node.',
  ),
  BOTTEGA_WEBHOOK_DAYS: setting(integer(1, 3650), '30', 'Number of days to keep deliveries and their statistics.'),
  BOTTEGA_SMTP_URL: optional(
    smtpUrl,
    'Mail server, such as `smtps://user:password@mail.example.com`. Without it, no mail is sent. Links then appear in the log, and in the API response for a user who can send the link to the recipient.',
  ),
  BOTTEGA_MAIL_FROM: optional(
    text,
    'Sender of mails. Default: `Bottega <no-reply@…>` with the host of the public URL.',
  ),
  BOTTEGA_SIGN_UP: optional(
    oneOf('on', 'off'),
    'Whether anyone can create an account. Default: `on` if the public URL is a loopback address, otherwise `off`.',
  ),
  BOTTEGA_MCP: setting(oneOf('on', 'off'), 'on', 'Whether agents can call `/mcp`; see [mcp.md](mcp.md).'),
  BOTTEGA_CLIENT_DOCUMENTS: setting(
    oneOf('on', 'off'),
    'off',
    'Whether unregistered apps can sign users in with a Client ID Metadata Document, which the service fetches from the app’s URL. Agents use it; see [mcp.md](mcp.md).',
  ),
  BOTTEGA_SIGN_IN_DAYS: setting(integer(1, 365), '30', 'Number of days after which a browser must sign in again.'),
  BOTTEGA_SIGN_IN_IDLE_HOURS: setting(
    integer(1, 8760),
    '168',
    'Hours without a request after which a browser must sign in again.',
  ),
  BOTTEGA_AUDIT_DAYS: setting(integer(1, 36_500), '365', 'Number of days to keep the audit log.'),
  BOTTEGA_CORS_ORIGINS: setting(
    list(corsOrigin),
    '',
    'Origins, separated by commas, whose pages can call the API from a browser. Only these origins can use the session cookie. With `*`, every page can call the API with a key or token.',
  ),
  BOTTEGA_SHUTDOWN_TIMEOUT: setting(
    integer(1, 3600),
    '30',
    'Maximum seconds for requests and jobs in progress to finish after SIGTERM.',
  ),
  BOTTEGA_LAME_DUCK_SECONDS: setting(
    integer(0, 300),
    '0',
    'Seconds after SIGTERM during which the node still accepts requests while `/readyz` already responds with 503. Behind a load balancer, set a longer time than its health check interval.',
  ),
  BOTTEGA_METRICS_TOKEN: optional(
    text,
    'Bearer token that `/metrics` requires. Without it, `/metrics` is open if the public URL is a loopback address, otherwise closed.',
  ),
  BOTTEGA_RATE_LIMIT_FREE: setting(
    tier,
    '1000/100',
    'Free plan: requests per window / burst. Also applies to each address without a credential.',
  ),
  BOTTEGA_RATE_LIMIT_PRO: setting(tier, '10000/500', 'Pro plan: requests per window / burst.'),
  BOTTEGA_RATE_LIMIT_ENTERPRISE: setting(tier, '100000/2000', 'Enterprise plan: requests per window / burst.'),
  BOTTEGA_RATE_LIMIT_SESSION: setting(
    tier,
    '10000/500',
    "Browser session, separate from the limit of the user's keys and tokens: requests per window / burst.",
  ),
  BOTTEGA_RATE_LIMIT_COLLABORATION: optional(
    tier,
    'Separate limit for live session requests, the same for all plans: requests per window / burst. Default: these requests count like all other requests.',
  ),
  BOTTEGA_RATE_LIMIT_WINDOW: setting(integer(1, 86_400), '3600', 'Length of the request window, in seconds.'),
  BOTTEGA_RATE_LIMIT_BURST_WINDOW: setting(
    integer(1, 3600),
    '60',
    'Seconds until an empty burst bucket is full again.',
  ),
  BOTTEGA_PROJECT_LIMIT_FREE: setting(amount, '1000', 'Maximum projects per free account, or `none` for no limit.'),
  BOTTEGA_PROJECT_LIMIT_PRO: setting(amount, '10000', 'Maximum projects per pro account, or `none` for no limit.'),
  BOTTEGA_PROJECT_LIMIT_ENTERPRISE: setting(
    amount,
    'none',
    'Maximum number of projects per enterprise account, or `none` for no limit.',
  ),
  BOTTEGA_STORAGE_LIMIT_FREE: setting(
    amount,
    '1073741824',
    'Maximum number of bytes that a free account can store, or `none` for no limit. Projects and templates with their deployments and live sessions count, as do deleted projects that can still be restored.',
  ),
  BOTTEGA_STORAGE_LIMIT_PRO: setting(
    amount,
    '53687091200',
    'Maximum number of bytes that a pro account can store, or `none` for no limit.',
  ),
  BOTTEGA_STORAGE_LIMIT_ENTERPRISE: setting(
    amount,
    'none',
    'Maximum number of bytes that an enterprise account can store, or `none` for no limit.',
  ),
  BOTTEGA_FILES_LIMIT_FREE: setting(
    amount,
    '10000',
    'Maximum number of files per project of a free account, or `none` for no limit.',
  ),
  BOTTEGA_FILES_LIMIT_PRO: setting(
    amount,
    '100000',
    'Maximum number of files per project of a pro account, or `none` for no limit.',
  ),
  BOTTEGA_FILES_LIMIT_ENTERPRISE: setting(
    amount,
    'none',
    'Maximum number of files per project of an enterprise account, or `none` for no limit.',
  ),
  BOTTEGA_BUILDS_FREE: setting(
    someOrNone,
    '2',
    'Maximum number of concurrent builds and checks of a free account on all workers, or `none` for no limit.',
  ),
  BOTTEGA_BUILDS_PRO: setting(
    someOrNone,
    '4',
    'Maximum concurrent builds and checks of a pro account, or `none` for no limit.',
  ),
  BOTTEGA_BUILDS_ENTERPRISE: setting(
    someOrNone,
    '8',
    'Maximum number of concurrent builds and checks of an enterprise account, or `none` for no limit.',
  ),
  BOTTEGA_APPS_FREE: setting(
    amount,
    '5',
    'Maximum number of concurrent server apps of a free account on all workers, or `none` for no limit. An app that replaces the live app of its project is not counted while both run.',
  ),
  BOTTEGA_APPS_PRO: setting(amount, '20', 'Maximum concurrent server apps of a pro account, or `none` for no limit.'),
  BOTTEGA_APPS_ENTERPRISE: setting(
    amount,
    '100',
    'Maximum number of concurrent server apps of an enterprise account, or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACES_FREE: setting(
    amount,
    '2',
    'Maximum number of running workspaces in all projects of a free account, or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACES_PRO: setting(
    amount,
    '5',
    'Maximum number of running workspaces in all projects of a pro account, or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACES_ENTERPRISE: setting(
    amount,
    '20',
    'Maximum number of running workspaces in all projects of an enterprise account, or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACE_HOURS_FREE: setting(
    amount,
    'none',
    'Maximum number of hours for which workspaces of a free account can run in a month (UTC), or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACE_HOURS_PRO: setting(
    amount,
    'none',
    'Maximum number of hours for which workspaces of a pro account can run in a month (UTC), or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACE_HOURS_ENTERPRISE: setting(
    amount,
    'none',
    'Maximum number of hours for which workspaces of an enterprise account can run in a month (UTC), or `none` for no limit.',
  ),
  BOTTEGA_WORKSPACE_NETWORK_FREE: setting(
    oneOf('public', 'off'),
    'public',
    'Network access of workspaces of a free account: public addresses only, or none. With `BOTTEGA_BUILD_NETWORK=off`, no workspace has access.',
  ),
  BOTTEGA_WORKSPACE_NETWORK_PRO: setting(
    oneOf('public', 'off'),
    'public',
    'Network access of workspaces of a pro account: public addresses only, or none. With `BOTTEGA_BUILD_NETWORK=off`, no workspace has access.',
  ),
  BOTTEGA_WORKSPACE_NETWORK_ENTERPRISE: setting(
    oneOf('public', 'off'),
    'public',
    'Network access of workspaces of an enterprise account: public addresses only, or none. With `BOTTEGA_BUILD_NETWORK=off`, no workspace has access.',
  ),
  BOTTEGA_LANGUAGE_SERVERS_FREE: setting(
    oneOf('on', 'off'),
    'on',
    'Whether workspaces of a free account run language servers.',
  ),
  BOTTEGA_LANGUAGE_SERVERS_PRO: setting(
    oneOf('on', 'off'),
    'on',
    'Whether workspaces of a pro account run language servers.',
  ),
  BOTTEGA_LANGUAGE_SERVERS_ENTERPRISE: setting(
    oneOf('on', 'off'),
    'on',
    'Whether workspaces of an enterprise account run language servers.',
  ),
  BOTTEGA_DOMAINS_FREE: setting(
    amount,
    '10',
    'Maximum number of domains of all projects of a free account, or `none` for no limit.',
  ),
  BOTTEGA_DOMAINS_PRO: setting(
    amount,
    '100',
    'Maximum number of domains of all projects of a pro account, or `none` for no limit.',
  ),
  BOTTEGA_DOMAINS_ENTERPRISE: setting(
    amount,
    'none',
    'Maximum number of domains of all projects of an enterprise account, or `none` for no limit; at most 50 domains per project.',
  ),
  BOTTEGA_NAME_SERVERS: optional(
    list(parseNameServer),
    'Addresses of the DNS servers to query about custom domains, separated by commas, with or without a port (`10.0.0.2`, `[2001:db8::2]:53`). Default: the system’s DNS servers.',
  ),
  BOTTEGA_RESTORE_DAYS: setting(
    integer(0, 3650),
    '30',
    'Number of days before a deleted project is purged. Until then, it can be restored.',
  ),
  BOTTEGA_INVITATION_DAYS: setting(
    integer(1, 365),
    '7',
    'Number of days before an invitation to a project or a project transfer expires.',
  ),
  BOTTEGA_APPS_PORT: optional(
    integer(0, 65_535),
    'Port of the second listener, which serves deployments. Default: `PORT` + 1, or any free port if `PORT` is 0.',
  ),
  BOTTEGA_APPS_URL: optional(
    httpUrl,
    'Address that clients use to reach the second listener. Each app gets a subdomain of this host, so the host needs a wildcard DNS record. Use a separate domain if possible. Default: `http://localhost` with that port, or https if the service uses TLS.',
  ),
  BOTTEGA_BUILD_DRIVER: setting(
    oneOf('auto', 'bubblewrap', 'container', 'process', 'none'),
    'auto',
    'Driver that runs build and start commands: `bubblewrap`, `container` (Docker or Podman), or `process`, which isolates nothing. `auto` uses bubblewrap if it works, otherwise a container, and never another driver. With `none`, only projects without a build command can be deployed.',
  ),
  BOTTEGA_BUILD_CONCURRENCY: setting(
    integer(1, 64),
    '3',
    'Maximum number of concurrent builds and checks per worker. Builds come first. With two or more, the last slot is reserved for an account that runs neither.',
  ),
  BOTTEGA_BUILD_TIMEOUT: setting(integer(1, 86_400), '900', 'Maximum duration of a build or a check, in seconds.'),
  BOTTEGA_BUILD_MEMORY: setting(
    integer(16_777_216, Number.MAX_SAFE_INTEGER),
    '2147483648',
    'Maximum memory for all processes of a build together, in bytes.',
  ),
  BOTTEGA_BUILD_PROCESSES: setting(integer(8, 100_000), '512', 'Maximum processes and threads per build or app.'),
  BOTTEGA_BUILD_CPUS: setting(
    integer(1, 256),
    '2',
    'Number of processors that a build or an app can use. The service always has priority.',
  ),
  BOTTEGA_BUILD_DISK: setting(
    integer(1_048_576, Number.MAX_SAFE_INTEGER),
    '8589934592',
    'Maximum disk space of a build or an app, including its /tmp, in bytes. The number of files and directories is limited to one per 4,096 bytes.',
  ),
  BOTTEGA_BUILD_FILE_LIMIT: setting(
    integer(1024, Number.MAX_SAFE_INTEGER),
    '1073741824',
    'Maximum size of a file that a build or an app writes, in bytes.',
  ),
  BOTTEGA_BUILD_NETWORK: setting(
    oneOf('public', 'off'),
    'public',
    'Network access of builds and apps: public addresses only, or none.',
  ),
  BOTTEGA_BUILD_DIR: optional(
    (value) => resolve(text(value)),
    'Directory for the workspaces of running builds and apps. Default: `builds` in the data directory; as root, a directory below `/var/tmp`, because builds run as other users.',
  ),
  BOTTEGA_BUILD_IMAGE: setting(text, 'docker.io/library/node:24', 'Image in which the container driver runs commands.'),
  BOTTEGA_CONTAINER_SOCKET: setting(
    text,
    '/var/run/docker.sock',
    'Socket of the Docker Engine API, which Podman also offers, or `tcp://host:port` of an engine on another machine.',
  ),
  BOTTEGA_CONTAINER_CERTS: optional(
    (value) => resolve(text(value)),
    'Directory with `ca.pem`, `cert.pem` and `key.pem`, as in Docker’s `DOCKER_CERT_PATH`, for an engine at `tcp://`. Optional only for an engine at a loopback address, such as the end of a tunnel.',
  ),
  BOTTEGA_CONTAINER_NETWORK: setting(
    text,
    'bridge',
    'The container engine’s network in which builds, apps and workspaces run, unless `BOTTEGA_BUILD_NETWORK` is `off`. The engine decides what this network can reach.',
  ),
  BOTTEGA_CONTAINER_CPUS: optional(
    integer(1, 256),
    'The same for containers; takes precedence over `BOTTEGA_BUILD_CPUS`.',
  ),
  BOTTEGA_ARTIFACT_LIMIT: setting(
    integer(1024, Number.MAX_SAFE_INTEGER),
    '536870912',
    'Maximum size of a deployment’s output, in bytes.',
  ),
  BOTTEGA_ARTIFACT_DAYS: setting(
    integer(0, 36_500),
    '30',
    'Number of days to keep the files of a deployment. Live deployments and the last deployments of each environment are kept longer.',
  ),
  BOTTEGA_ARTIFACTS_KEPT: setting(
    integer(0, 10_000),
    '10',
    'Number of successful deployments to keep per environment of a project, regardless of their age.',
  ),
  BOTTEGA_PREVIEW_DAYS: setting(
    integer(0, 36_500),
    '0',
    'Number of days after which a preview is retired. Its address then responds with 410, and its files are deleted. 0 means that a preview is retired only when its branch is deleted.',
  ),
  BOTTEGA_DEPLOYMENT_LOG_LIMIT: setting(
    integer(4096, 1_073_741_824),
    '10485760',
    'Maximum size of a deployment log, in bytes. The middle of a longer log is removed.',
  ),
  BOTTEGA_DEPLOYMENT_LOG_DAYS: setting(
    integer(1, 36_500),
    '365',
    'Number of days to keep the log of a deployment after its creation, and the log and annotations of a check after its last run. Live and running deployments keep their logs longer.',
  ),
  BOTTEGA_APP_MEMORY: setting(
    integer(16_777_216, Number.MAX_SAFE_INTEGER),
    '536870912',
    'Maximum memory of a server app, in bytes.',
  ),
  BOTTEGA_APP_CONCURRENCY: setting(
    integer(1, 10_000),
    '50',
    'Maximum number of concurrent server apps per worker. With two or more, the last slot is reserved for an account without a running app.',
  ),
  BOTTEGA_APP_START_TIMEOUT: setting(
    integer(1, 3600),
    '60',
    'Maximum seconds until a server app responds after its start.',
  ),
  BOTTEGA_APP_IDLE: setting(
    integer(10, 31_536_000),
    '900',
    'Seconds without a visit after which a server app that is not live is put to sleep. The next visit wakes it.',
  ),
  BOTTEGA_APP_HOST: setting(
    text,
    '127.0.0.1',
    'Address at which other nodes reach the server apps of this worker. With workers on several machines, use an address in a private network.',
  ),
  BOTTEGA_WORKSPACE_MEMORY: setting(
    integer(67_108_864, Number.MAX_SAFE_INTEGER),
    '2147483648',
    'Maximum memory of a workspace, in bytes.',
  ),
  BOTTEGA_WORKSPACE_DISK: setting(
    integer(1_048_576, Number.MAX_SAFE_INTEGER),
    '4294967296',
    'Maximum disk space of a workspace’s own files, in bytes. Files that did not change since its start do not count.',
  ),
  BOTTEGA_WORKSPACE_CONCURRENCY: setting(integer(0, 10_000), '20', 'Maximum number of running workspaces per worker.'),
  BOTTEGA_WORKSPACE_IDLE: setting(
    integer(10, 31_536_000),
    '900',
    'Seconds without use after which a workspace goes to sleep. The next use wakes it.',
  ),
  BOTTEGA_LANGUAGE_SERVERS: optional(
    (value) => (value === 'off' ? value : resolve(text(value))),
    'Directory of a worker for language servers, which npm fetches on first use, or `off`. Default: `language-servers` next to the workspaces.',
  ),
  BOTTEGA_SESSION_TTL: setting(
    integer(2, 2_592_000),
    '28800',
    'Seconds after which a live session ends. This is also the maximum extension.',
  ),
  BOTTEGA_SESSION_DAYS: setting(
    integer(0, 36_500),
    '30',
    'Number of days to keep a live session and its comments after its end. With the last session of a project, the project’s saved live texts are also deleted.',
  ),
  BOTTEGA_SESSION_WARNING: setting(
    integer(1, 86_400),
    '300',
    'Seconds before the end of a live session at which its sockets receive a warning.',
  ),
  BOTTEGA_SESSION_PARTICIPANTS: setting(integer(1, 1000), '50', 'Maximum number of participants per live session.'),
  BOTTEGA_LIVE_SOCKETS: setting(integer(1, 10_000), '10', 'Maximum open WebSockets per user on all nodes.'),
  BOTTEGA_LIVE_NODE_SOCKETS: setting(
    integer(1, 1_000_000),
    '20000',
    'Maximum number of open WebSockets per node, about 70 KiB each. Further connections get a 503.',
  ),
  BOTTEGA_LIVE_FRAME_LIMIT: setting(
    integer(1024, 104_857_600),
    '1048576',
    'Maximum size of a frame that a client can send, in bytes. A larger frame closes the WebSocket with 1009.',
  ),
  BOTTEGA_LIVE_BUFFER_LIMIT: setting(
    integer(65_536, 1_073_741_824),
    '16777216',
    'Maximum number of bytes queued for a slow client. If there are more, its WebSocket is closed with 4009.',
  ),
  BOTTEGA_LIVE_MESSAGE_RATE: setting(
    integer(1, 1_000_000),
    '1000',
    'Maximum number of frames per second that are read from one WebSocket, after a burst of twice as many. Further frames wait in the connection.',
  ),
  BOTTEGA_LIVE_IDLE_TIMEOUT: setting(
    integer(1, 3600),
    '60',
    'Seconds without any frame, including pongs, after which a WebSocket is closed with 4008.',
  ),
  BOTTEGA_LIVE_LEASE: setting(
    integer(1, 60),
    '5',
    'Seconds without a heartbeat after which another node takes over the live texts of a node.',
  ),
  BOTTEGA_NODE_URL: optional(
    httpUrl,
    'Address at which other nodes reach this node, such as `http://10.0.0.7:3000`. Default: `BOTTEGA_HOST`, or the machine’s first address if `BOTTEGA_HOST` does not specify one, with the port.',
  ),
  BOTTEGA_LIVE_FILE_LIMIT: setting(
    integer(1024, 104_857_600),
    '2097152',
    'Maximum size of a file that can be edited live, in bytes.',
  ),
  BOTTEGA_LIVE_REVISIONS: setting(
    integer(1, 100_000),
    '1000',
    'Number of past revisions on which a change to a live text can be based. If the base is older, the client gets the entire text again.',
  ),
  BOTTEGA_LIVE_REVISIONS_BYTES: setting(
    integer(65_536, 1_073_741_824),
    '8388608',
    'Maximum size of the past revisions of one live text, in bytes. The oldest revisions are dropped first.',
  ),
  BOTTEGA_LIVE_UNSTORED_LIMIT: setting(
    integer(65_536, 1_073_741_824),
    '16777216',
    'Maximum size of the unstored changes to one live text while the database is unavailable, in bytes. Further changes are refused.',
  ),
  BOTTEGA_LIVE_MEMORY_LIMIT: setting(
    integer(1_048_576, 1_099_511_627_776),
    '268435456',
    'Maximum memory for the live texts of one node, in bytes. One account can use a quarter of it. When the limit is reached, no further files can be opened live.',
  ),
  BOTTEGA_LIVE_SAVE_PAUSE: setting(
    integer(10, 3_600_000),
    '2000',
    'Milliseconds without a change after which a live text is saved, in projects with `auto_save`.',
  ),
  BOTTEGA_LIVE_SAVE_INTERVAL: setting(
    integer(10, 3_600_000),
    '10000',
    'Maximum milliseconds until a live text is saved while it is being changed.',
  ),
  BOTTEGA_LIVE_FILE_OPERATIONS: setting(
    integer(1, 1_000_000),
    '100',
    'Maximum number of files that can be created, deleted or renamed per minute in one live session.',
  ),
  BOTTEGA_BACKUP_SCHEDULE: optional(
    crontabTime,
    'Schedule of automatic backups: five crontab fields, in UTC, such as `30 3 * * *` for 03:30 every night.',
  ),
  BOTTEGA_BACKUP_DIR: optional(
    directoryOrBucket,
    'Directory for automatic backups, or `s3://bucket/prefix`. Default: `backups` in `BOTTEGA_DATA_DIR`; use a directory on another disk if possible.',
  ),
  BOTTEGA_BACKUP_KEEP: setting(integer(1, 10_000), '7', 'Number of automatic backups to keep.'),
  BOTTEGA_BACKUP_PASSPHRASE_FILE: optional(
    (value) => resolve(text(value)),
    'File with the passphrase that encrypts automatic backups.',
  ),
  BOTTEGA_OBJECTS: optional(
    bucket,
    'Bucket for the files of deployments, as `s3://bucket/prefix`. Default: the files are stored in the database. `bottega objects move` moves existing files to the bucket or back.',
  ),
  BOTTEGA_S3_ENDPOINT: optional(
    httpUrl,
    'Address of an S3-compatible store other than Amazon S3. Credentials come from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or from the other sources that the AWS tools use.',
  ),
  AWS_REGION: optional(text, 'Region of the buckets. Default with `BOTTEGA_S3_ENDPOINT`: `us-east-1`.'),
  BOTTEGA_EVENT_DAYS: setting(integer(1, 3650), '30', 'Number of days to keep events.'),
  BOTTEGA_WEBHOOK_FORMAT: setting(
    oneOf('reference', 'core', 'guide'),
    'reference',
    'Default format of webhooks that are created at `/api/webhooks`. At `/v1` and `/api/v1`, the default format is `core`.',
  ),
  BOTTEGA_WEBHOOK_LIMIT: setting(integer(1, 100_000), '100', 'Maximum number of webhooks per account.'),
  BOTTEGA_WEBHOOK_TIMEOUT_LIMIT: setting(integer(1, 600), '60', 'Maximum timeout of a webhook, in seconds.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    trimmed,
    'OpenTelemetry collector to which traces are sent, such as `http://localhost:4318`; `/v1/traces` is appended. Without it, nothing is traced. [observability](observability/README.md#traces) describes the traces. An invalid value of an `OTEL_*` setting does not prevent the start.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(trimmed, 'Full URL for traces; takes precedence.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional(
    trimmed,
    '`http/protobuf`, the default, or `http/json`. `grpc` is not supported.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional(trimmed, 'The same for traces; takes precedence.'),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    trimmed,
    'Headers for the collector, as `name=value,name=value`, percent-encoded. `OTEL_EXPORTER_OTLP_CERTIFICATE`, `_CLIENT_KEY`, `_CLIENT_CERTIFICATE` and `_COMPRESSION` set certificates and compression.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: optional(trimmed, 'The same for traces; takes precedence.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: optional(
    trimmed,
    'Maximum milliseconds for the collector to accept a batch. Default: 10000.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: optional(trimmed, 'The same for traces; takes precedence.'),
  OTEL_SERVICE_NAME: optional(trimmed, 'Name of the service in its traces. Default: `bottega`.'),
  OTEL_RESOURCE_ATTRIBUTES: optional(
    trimmed,
    'Further attributes of the service in its traces, as `name=value,name=value`.',
  ),
  OTEL_TRACES_SAMPLER: optional(
    trimmed,
    '`always_on`, the default, `always_off` or `traceidratio`; each also with the prefix `parentbased_`, which makes no difference here.',
  ),
  OTEL_TRACES_SAMPLER_ARG: optional(trimmed, 'With `traceidratio`: the share of traces that are sent, from 0 to 1.'),
  OTEL_TRACES_EXPORTER: optional(trimmed, '`otlp`, the default, or `none`. With `none`, nothing is traced.'),
  OTEL_SDK_DISABLED: optional(trimmed, '`true`: nothing is traced.'),
  OTEL_BSP_SCHEDULE_DELAY: optional(trimmed, 'Milliseconds between two batches of spans. Default: 5000.'),
  OTEL_BSP_EXPORT_TIMEOUT: optional(trimmed, 'Milliseconds after which a batch is dropped. Default: 30000.'),
  OTEL_BSP_MAX_QUEUE_SIZE: optional(
    trimmed,
    'Maximum number of queued spans per process. Further spans are dropped. Default: 2048.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: optional(trimmed, 'Maximum spans in a batch. Default: 512.'),
} satisfies Record<string, Setting<unknown>>;

/** The parsed values of all settings. */
export type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };
