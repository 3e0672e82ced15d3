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

/** One setting: how its text is read, what holds without it, and what the operator reads about it. */
type Setting<Value> = {
  parse: (text: string) => Value;
  /** Text, so that the documentation shows what an operator would write. Null: absent. */
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

/** The whole configuration, in one file, long as it is: docs/settings.md is this table, and a test keeps the two the same. */
export const settings = {
  PORT: setting(integer(0, 65_535), '3000', 'Port of the API. 0 takes any free one.'),
  BOTTEGA_HOST: setting(
    text,
    '127.0.0.1',
    'Address to listen on. `0.0.0.0` or `::` to be reached from other machines; then `BOTTEGA_PUBLIC_URL` has to be set too.',
  ),
  BOTTEGA_PUBLIC_URL: optional(
    httpUrl,
    'Address under which clients reach the service; in links and the audience of JWTs. Without it, `http://localhost:PORT`, or https where the service speaks TLS.',
  ),
  BOTTEGA_TLS: optional(
    oneOf('acme'),
    '`acme`: the service speaks TLS, and gets and renews its certificates itself, from an authority to whose terms you agree thereby. It needs `BOTTEGA_PUBLIC_URL` and `BOTTEGA_ACME_EMAIL`.',
  ),
  BOTTEGA_TLS_CERT: optional(
    (value) => resolve(text(value)),
    'File with a certificate of your own and the chain that it hangs on, in PEM; with it the service speaks TLS. Read again when it has changed.',
  ),
  BOTTEGA_TLS_KEY: optional((value) => resolve(text(value)), 'File with the private key to it, in PEM.'),
  BOTTEGA_ACME_EMAIL: optional(mailAddress, 'By which the authority knows you.'),
  BOTTEGA_ACME_DIRECTORY: setting(
    httpsAddress,
    'https://acme-v02.api.letsencrypt.org/directory',
    'The authority: the address of its ACME directory.',
  ),
  BOTTEGA_ACME_APPS: setting(
    integer(0, 100_000),
    '40',
    'Addresses of apps, below the host of `BOTTEGA_APPS_URL`, that get a first certificate within a week, each when it is first visited; a quarter of them for one account, half for accounts that have got none in it. Let’s Encrypt allows 50 for a registered domain.',
  ),
  BOTTEGA_ACME_DOMAINS: setting(
    integer(0, 100_000),
    '100',
    'Custom domains that get a first certificate within a week, each once it leads here; a quarter of them for one account or registered domain, half for accounts that have got none in it.',
  ),
  BOTTEGA_HTTP_PORT: optional(
    integer(0, 65_535),
    'Port that sends plain HTTP on to HTTPS, while the service speaks TLS; 0: none. Without it, 80 where `PORT` is 443, and else none.',
  ),
  BOTTEGA_DATA_DIR: setting(
    (value) => resolve(text(value)),
    '.bottega',
    'Directory of the embedded database and the generated secret key.',
  ),
  DATABASE_URL: optional(
    postgresUrl,
    'An external PostgreSQL (15 or newer) instead of the embedded one, or a pooler in front of it, such as PgBouncer in transaction mode.',
  ),
  DATABASE_SESSION_URL: optional(
    postgresUrl,
    'Where `DATABASE_URL` is a pooler: the PostgreSQL server itself, for what needs a session of its own (`LISTEN`, locks, prepared statements).',
  ),
  DATABASE_READ_URL: optional(
    postgresUrl,
    'A standby of that PostgreSQL server (streaming replication), for searches, histories, comparisons and lists of whole trees. It is used while it is close enough behind.',
  ),
  BOTTEGA_READ_LAG: setting(
    integer(1, 60),
    '2',
    'Seconds that `DATABASE_READ_URL` may be behind. Beyond it, and for so long after a change of the caller’s own, reads are made by the primary.',
  ),
  REDIS_URL: optional(
    redisUrl,
    'A Redis (6 or newer) that several nodes share: limits of requests are then exact over all of them, and they hear of each other’s events at once. Nothing is kept there that matters.',
  ),
  BOTTEGA_REDIS_PATIENCE: setting(
    integer(5, 10_000),
    '50',
    'Milliseconds that a request waits for Redis at most; then it is counted without it, and Redis is left alone for a second.',
  ),
  BOTTEGA_DATABASE_POOL: setting(
    integer(2, 500),
    '20',
    'Most database connections of one node. Its API processes share them; the process for jobs has as many as one of these.',
  ),
  BOTTEGA_PROCESSES: setting(
    autoOr(integer(1, 64)),
    'auto',
    'Processes that answer requests, beside one for jobs, builds and deliveries and one that looks after them all. `1`: one process does everything. `auto`: one for each core, 8 at most; everything in one on a single core or below 1 GiB of memory. Processes share a port only on Linux and the BSDs; elsewhere, macOS included, one process does everything.',
  ),
  BOTTEGA_SECRET_KEY: optional(
    secretKey,
    'Encrypts secrets at rest: 32 bytes in hex or base64. Without it, generated once in the data directory. Several nodes must share it.',
  ),
  BOTTEGA_TRUSTED_PROXIES: setting(
    list(parseAddressOrNetwork),
    '',
    'Addresses and CIDR networks, by comma, whose `X-Forwarded-For` is believed.',
  ),
  BOTTEGA_LOG_LEVEL: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'Log level.'),
  BOTTEGA_BODY_LIMIT: setting(integer(1024, 1_073_741_824), '1048576', 'Largest JSON body, in bytes; more is a 413.'),
  BOTTEGA_FILE_LIMIT: setting(integer(1024, 104_857_600), '10485760', 'Largest file of a project, in bytes.'),
  BOTTEGA_FILE_BODY_LIMIT: setting(
    integer(1024, 1_073_741_824),
    '16777216',
    'Largest body of a request that writes files, in bytes; base64 takes a third more than the file.',
  ),
  BOTTEGA_PUSH_PACK_LIMIT: setting(
    integer(1024, 4_294_967_296),
    '268435456',
    'Largest pack of one git push or import, in bytes, as it is sent. A push may have no more than the owner’s plan has left, and 4 MiB.',
  ),
  BOTTEGA_PUSH_OBJECT_LIMIT: setting(integer(1, 5_000_000), '250000', 'Most git objects in one push or import.'),
  BOTTEGA_PUSH_UNPACKED_LIMIT: setting(
    integer(1024, 68_719_476_736),
    '4294967296',
    'Most bytes that all objects of one push or import may have when unpacked.',
  ),
  BOTTEGA_GIT_CACHE_LIMIT: setting(
    integer(0, Number.MAX_SAFE_INTEGER),
    '4294967296',
    'Bytes that the copies of repositories below the data directory may take; the least recently used go first.',
  ),
  BOTTEGA_GIT_PROCESSES: setting(
    integer(1, 1000),
    '16',
    'Clones, fetches, pushes and archives that git works on at once on one node; others wait. One account has at most a quarter of them.',
  ),
  BOTTEGA_GIT_MEMORY: optional(
    integer(536_870_912, Number.MAX_SAFE_INTEGER),
    'Bytes that all git processes of one node may take together. Absent: a quarter of the memory of the machine. Git works on no more at once than have 512 MiB each.',
  ),
  BOTTEGA_IMPORT_ALLOW: optional(
    list(parseAddressOrNetwork),
    'Addresses and CIDR networks, by comma, that repositories may be imported from besides public ones. Without it, loopback while the public URL is itself loopback.',
  ),
  BOTTEGA_WEBHOOK_ALLOW: optional(
    list(parseEndpoint),
    'Where webhooks may deliver besides public HTTPS, by comma: addresses and CIDR networks, and hosts such as `hooks.internal` or `hooks.internal:8080`, each by http and https. Without it, loopback while the public URL is itself loopback. The service itself is never among them.',
  ),
  BOTTEGA_WEBHOOK_CONCURRENCY: setting(
    integer(1, 1000),
    '10',
    'Most deliveries at once from one node to one webhook. One that fails gets one at a time.',
  ),
  BOTTEGA_WEBHOOK_BODY_LIMIT: setting(
    integer(0, 1_048_576),
    '16384',
    'Bytes that are kept of the answer to a delivery, after it is unpacked.',
  ),
  BOTTEGA_WEBHOOK_PAUSE: setting(
    integer(1, 86_400),
    '10',
    'Seconds of the first pause of a webhook after four failed deliveries in a row. Each further one is twice as long, a day at most.',
  ),
  BOTTEGA_WEBHOOK_LEASE: setting(
    integer(1, 3600),
    '20',
    'Seconds without a sign of life after which other nodes take over the deliveries of a node.',
  ),
  BOTTEGA_WEBHOOK_DAYS: setting(integer(1, 3650), '30', 'Days for which deliveries and their figures are kept.'),
  BOTTEGA_SMTP_URL: optional(
    smtpUrl,
    'Mail server, such as `smtps://user:password@mail.example.com`. Without it no mail is sent: links are in the API answer of whoever may pass them on, and in the log.',
  ),
  BOTTEGA_MAIL_FROM: optional(
    text,
    'Sender of mails. Without it, `Bottega <no-reply@…>` with the host of the public URL.',
  ),
  BOTTEGA_SIGN_UP: optional(
    oneOf('on', 'off'),
    'Whether anyone may make an account. Without it, `on` while the public URL is a loopback address and `off` otherwise.',
  ),
  BOTTEGA_MCP: setting(oneOf('on', 'off'), 'on', 'Whether agents may call `/mcp`; see [mcp.md](mcp.md).'),
  BOTTEGA_CLIENT_DOCUMENTS: setting(
    oneOf('on', 'off'),
    'off',
    'Whether apps that nobody registered may sign users in, by the address of a document about themselves (Client ID Metadata Documents), which the service then fetches. Agents use it; see [mcp.md](mcp.md).',
  ),
  BOTTEGA_SIGN_IN_DAYS: setting(integer(1, 365), '30', 'Days after which a browser has to sign in again.'),
  BOTTEGA_SIGN_IN_IDLE_HOURS: setting(
    integer(1, 8760),
    '168',
    'Hours without a request after which a browser has to sign in again.',
  ),
  BOTTEGA_AUDIT_DAYS: setting(integer(1, 36_500), '365', 'Days for which the audit log is kept.'),
  BOTTEGA_CORS_ORIGINS: setting(
    list(corsOrigin),
    '',
    'Origins, by comma, whose pages may call the API from a browser; only those named may do so by cookie. `*` lets every page call it with a key or token.',
  ),
  BOTTEGA_SHUTDOWN_TIMEOUT: setting(
    integer(1, 3600),
    '30',
    'Seconds that requests and jobs in progress get to finish after SIGTERM.',
  ),
  BOTTEGA_LAME_DUCK_SECONDS: setting(
    integer(0, 300),
    '0',
    'Seconds after SIGTERM in which requests are still taken while `/readyz` is a 503 already. Behind a load balancer, longer than it takes to notice.',
  ),
  BOTTEGA_METRICS_TOKEN: optional(
    text,
    'Bearer token that `/metrics` asks for. Without it, `/metrics` is open while the public URL is a loopback address and closed otherwise.',
  ),
  BOTTEGA_RATE_LIMIT_FREE: setting(
    tier,
    '1000/100',
    'Free plan: requests per window / burst. Also holds without a credential, by address.',
  ),
  BOTTEGA_RATE_LIMIT_PRO: setting(tier, '10000/500', 'Pro plan: requests per window / burst.'),
  BOTTEGA_RATE_LIMIT_ENTERPRISE: setting(tier, '100000/2000', 'Enterprise plan: requests per window / burst.'),
  BOTTEGA_RATE_LIMIT_SESSION: setting(
    tier,
    '10000/500',
    "A browser's session, beside the budget of its user's keys and tokens: requests per window / burst.",
  ),
  BOTTEGA_RATE_LIMIT_COLLABORATION: optional(
    tier,
    'Holds requests about live sessions to a budget of their own, the same for every plan: requests per window / burst. Without it they count as all others do.',
  ),
  BOTTEGA_RATE_LIMIT_WINDOW: setting(integer(1, 86_400), '3600', 'Seconds of the request window.'),
  BOTTEGA_RATE_LIMIT_BURST_WINDOW: setting(
    integer(1, 3600),
    '60',
    'Seconds in which an empty burst bucket is full again.',
  ),
  BOTTEGA_PROJECT_LIMIT_FREE: setting(amount, '1000', 'Projects that a free account may own, or `none`.'),
  BOTTEGA_PROJECT_LIMIT_PRO: setting(amount, '10000', 'Projects that a pro account may own, or `none`.'),
  BOTTEGA_PROJECT_LIMIT_ENTERPRISE: setting(amount, 'none', 'Projects that an enterprise account may own, or `none`.'),
  BOTTEGA_STORAGE_LIMIT_FREE: setting(
    amount,
    '1073741824',
    'Bytes that the projects and templates of a free account may hold, with what their deployments and live sessions keep and deleted projects that can still be restored, or `none`.',
  ),
  BOTTEGA_STORAGE_LIMIT_PRO: setting(
    amount,
    '53687091200',
    'Bytes that the projects of a pro account may hold, or `none`.',
  ),
  BOTTEGA_STORAGE_LIMIT_ENTERPRISE: setting(
    amount,
    'none',
    'Bytes that the projects of an enterprise account may hold, or `none`.',
  ),
  BOTTEGA_FILES_LIMIT_FREE: setting(amount, '10000', 'Files that a project of a free account may have, or `none`.'),
  BOTTEGA_FILES_LIMIT_PRO: setting(amount, '100000', 'Files that a project of a pro account may have, or `none`.'),
  BOTTEGA_FILES_LIMIT_ENTERPRISE: setting(
    amount,
    'none',
    'Files that a project of an enterprise account may have, or `none`.',
  ),
  BOTTEGA_BUILDS_FREE: setting(
    someOrNone,
    '2',
    'Builds of a free account that run at once, over all workers, or `none`.',
  ),
  BOTTEGA_BUILDS_PRO: setting(someOrNone, '4', 'Builds of a pro account that run at once, or `none`.'),
  BOTTEGA_BUILDS_ENTERPRISE: setting(someOrNone, '8', 'Builds of an enterprise account that run at once, or `none`.'),
  BOTTEGA_APPS_FREE: setting(
    amount,
    '5',
    'Server apps of a free account that run at once, over all workers, or `none`. One that replaces the live app of its project is not counted while both run.',
  ),
  BOTTEGA_APPS_PRO: setting(amount, '20', 'Server apps of a pro account that run at once, or `none`.'),
  BOTTEGA_APPS_ENTERPRISE: setting(amount, '100', 'Server apps of an enterprise account that run at once, or `none`.'),
  BOTTEGA_DOMAINS_FREE: setting(amount, '10', 'Domains that the projects of a free account may have, or `none`.'),
  BOTTEGA_DOMAINS_PRO: setting(amount, '100', 'Domains that the projects of a pro account may have, or `none`.'),
  BOTTEGA_DOMAINS_ENTERPRISE: setting(
    amount,
    'none',
    'Domains that the projects of an enterprise account may have, or `none`; 50 in one project at most.',
  ),
  BOTTEGA_NAME_SERVERS: optional(
    list(parseNameServer),
    'Addresses of DNS servers, by comma, with or without a port (`10.0.0.2`, `[2001:db8::2]:53`), that are asked about custom domains. Without it, those of the system.',
  ),
  BOTTEGA_RESTORE_DAYS: setting(
    integer(0, 3650),
    '30',
    'Days for which a deleted project can be restored before it is purged.',
  ),
  BOTTEGA_INVITATION_DAYS: setting(
    integer(1, 365),
    '7',
    'Days for which an invitation to a project, or the offer of its ownership, can be accepted.',
  ),
  BOTTEGA_APPS_PORT: optional(
    integer(0, 65_535),
    'Port of the second listener, which serves what is deployed. Without it, the one after `PORT`, or any free one where `PORT` is 0.',
  ),
  BOTTEGA_APPS_URL: optional(
    httpUrl,
    'Address of the second listener as clients reach it; an app is at a host below it, so its DNS name needs a wildcard. Best a domain of its own. Without it, `http://localhost` with that port, or https where the service speaks TLS.',
  ),
  BOTTEGA_BUILD_DRIVER: setting(
    oneOf('auto', 'bubblewrap', 'container', 'process', 'none'),
    'auto',
    'What runs build and start commands: `bubblewrap`, `container` (Docker or Podman), or `process`, which isolates nothing. `auto` takes the first of the first two that works, and never `process`; with `none` only projects without a build command deploy.',
  ),
  BOTTEGA_BUILD_CONCURRENCY: setting(
    integer(1, 64),
    '3',
    'Builds that one worker runs at once. Of two or more, the last place is kept for an account that has no build running.',
  ),
  BOTTEGA_BUILD_TIMEOUT: setting(integer(1, 86_400), '900', 'Seconds that a build may take.'),
  BOTTEGA_BUILD_MEMORY: setting(
    integer(16_777_216, Number.MAX_SAFE_INTEGER),
    '2147483648',
    'Bytes of memory that a build may use, all its processes together.',
  ),
  BOTTEGA_BUILD_PROCESSES: setting(
    integer(8, 100_000),
    '512',
    'Processes and threads that a build or an app may have.',
  ),
  BOTTEGA_BUILD_CPUS: setting(
    integer(1, 256),
    '2',
    'Processors that a build or an app may use; whatever it uses, the service goes first.',
  ),
  BOTTEGA_BUILD_DISK: setting(
    integer(1_048_576, Number.MAX_SAFE_INTEGER),
    '8589934592',
    'Bytes on disk that a build or an app may use, its /tmp included; also one file or directory for every 4,096 of them.',
  ),
  BOTTEGA_BUILD_FILE_LIMIT: setting(
    integer(1024, Number.MAX_SAFE_INTEGER),
    '1073741824',
    'Largest file that a build or an app may write, in bytes.',
  ),
  BOTTEGA_BUILD_NETWORK: setting(
    oneOf('public', 'off'),
    'public',
    'What builds and apps may reach: public addresses only, or nothing.',
  ),
  BOTTEGA_BUILD_DIR: optional(
    (value) => resolve(text(value)),
    'Where workspaces are while something runs in them. Without it, `builds` in the data directory; as root, a directory below `/var/tmp`, because builds run under other users.',
  ),
  BOTTEGA_BUILD_IMAGE: setting(text, 'docker.io/library/node:24', 'Image that the container driver runs commands in.'),
  BOTTEGA_CONTAINER_SOCKET: setting(
    text,
    '/var/run/docker.sock',
    'Socket of the Docker Engine API, which Podman speaks too; or `tcp://host:port` of an engine on another machine.',
  ),
  BOTTEGA_CONTAINER_CERTS: optional(
    (value) => resolve(text(value)),
    'Directory with `ca.pem`, `cert.pem` and `key.pem`, as in Docker’s `DOCKER_CERT_PATH`, for an engine at `tcp://`. Only one at the loopback address, such as the end of a tunnel, may be without.',
  ),
  BOTTEGA_CONTAINER_NETWORK: setting(
    text,
    'bridge',
    'Network of the engine that containers are in, unless `BOTTEGA_BUILD_NETWORK` is `off`. What it reaches is the engine’s matter.',
  ),
  BOTTEGA_CONTAINER_CPUS: optional(
    integer(1, 256),
    'Processors that a build or an app may use in a container. It overrides `BOTTEGA_BUILD_CPUS`.',
  ),
  BOTTEGA_ARTIFACT_LIMIT: setting(
    integer(1024, Number.MAX_SAFE_INTEGER),
    '536870912',
    'Most bytes that one deployment may leave to be served.',
  ),
  BOTTEGA_ARTIFACT_DAYS: setting(
    integer(0, 36_500),
    '30',
    'Days for which what a deployment serves is kept. What is live, and the last ones of each environment, stays for longer.',
  ),
  BOTTEGA_ARTIFACTS_KEPT: setting(
    integer(0, 10_000),
    '10',
    'The last successful deployments of each environment of a project, which go on being served however old they are.',
  ),
  BOTTEGA_PREVIEW_DAYS: setting(
    integer(0, 36_500),
    '0',
    'Days after which a preview is retired: its address answers 410, and its files go. 0: only with its branch.',
  ),
  BOTTEGA_DEPLOYMENT_LOG_LIMIT: setting(
    integer(4096, 1_073_741_824),
    '10485760',
    'Bytes of a deployment log; of a longer one the middle is cut.',
  ),
  BOTTEGA_DEPLOYMENT_LOG_DAYS: setting(
    integer(1, 36_500),
    '365',
    'Days for which the log of a deployment is kept, from its creation on. What is live or runs keeps its log for longer.',
  ),
  BOTTEGA_APP_MEMORY: setting(
    integer(16_777_216, Number.MAX_SAFE_INTEGER),
    '536870912',
    'Bytes of memory that a server app may use.',
  ),
  BOTTEGA_APP_CONCURRENCY: setting(
    integer(1, 10_000),
    '50',
    'Server apps that one worker runs at once. Of two or more, the last place is kept for an account that has none running.',
  ),
  BOTTEGA_APP_START_TIMEOUT: setting(integer(1, 3600), '60', 'Seconds that a server app gets until it answers.'),
  BOTTEGA_APP_IDLE: setting(
    integer(10, 31_536_000),
    '900',
    'Seconds without a visit after which a server app that is not live sleeps; the next visit wakes it.',
  ),
  BOTTEGA_APP_HOST: setting(
    text,
    '127.0.0.1',
    'Address at which other nodes reach the server apps that this worker runs; with workers on several machines, one of a private network.',
  ),
  BOTTEGA_SESSION_TTL: setting(
    integer(2, 2_592_000),
    '28800',
    'Seconds after which a collaboration session ends; also the most by which it is extended.',
  ),
  BOTTEGA_SESSION_DAYS: setting(
    integer(0, 36_500),
    '30',
    'Days after its end for which a collaboration session is kept, with its comments; with the last one of a project go the live texts that are saved.',
  ),
  BOTTEGA_SESSION_WARNING: setting(
    integer(1, 86_400),
    '300',
    'Seconds before the end of a session at which its sockets are told.',
  ),
  BOTTEGA_SESSION_PARTICIPANTS: setting(integer(1, 1000), '50', 'People in one session.'),
  BOTTEGA_LIVE_SOCKETS: setting(integer(1, 10_000), '10', 'WebSockets that a user may have open, over all nodes.'),
  BOTTEGA_LIVE_NODE_SOCKETS: setting(
    integer(1, 1_000_000),
    '20000',
    'WebSockets that a node may have open, some 70 KiB each; more are answered with 503.',
  ),
  BOTTEGA_LIVE_FRAME_LIMIT: setting(
    integer(1024, 104_857_600),
    '1048576',
    'Largest frame that a WebSocket may send, in bytes; more closes it with 1009.',
  ),
  BOTTEGA_LIVE_BUFFER_LIMIT: setting(
    integer(65_536, 1_073_741_824),
    '16777216',
    'Bytes that may wait for one WebSocket that reads too slowly; then it is closed with 4009.',
  ),
  BOTTEGA_LIVE_MESSAGE_RATE: setting(
    integer(1, 1_000_000),
    '1000',
    'Frames a second that are read from one WebSocket, after a burst of twice as many; the rest waits in its connection.',
  ),
  BOTTEGA_LIVE_IDLE_TIMEOUT: setting(
    integer(1, 3600),
    '60',
    'Seconds without a sign of life, not even the answer to a ping, after which a WebSocket is closed with 4008.',
  ),
  BOTTEGA_LIVE_LEASE: setting(
    integer(1, 60),
    '5',
    'Seconds without a sign of life after which another node takes over the live texts of a node.',
  ),
  BOTTEGA_NODE_URL: optional(
    httpUrl,
    'Address at which the other nodes reach this one, such as `http://10.0.0.7:3000`. Without it, that of `BOTTEGA_HOST`, or the first of the machine where that names none; and the port.',
  ),
  BOTTEGA_LIVE_FILE_LIMIT: setting(
    integer(1024, 104_857_600),
    '2097152',
    'Largest file that can be edited live, in bytes.',
  ),
  BOTTEGA_LIVE_REVISIONS: setting(
    integer(1, 100_000),
    '1000',
    'Revisions of a live text for which a change can still be sent; for older ones a client gets the text anew.',
  ),
  BOTTEGA_LIVE_REVISIONS_BYTES: setting(
    integer(65_536, 1_073_741_824),
    '8388608',
    'Bytes that the former revisions of one live text may take; the oldest go first.',
  ),
  BOTTEGA_LIVE_UNSTORED_LIMIT: setting(
    integer(65_536, 1_073_741_824),
    '16777216',
    'Bytes of changes of one live text that are held while the database is away; then changes are refused.',
  ),
  BOTTEGA_LIVE_MEMORY_LIMIT: setting(
    integer(1_048_576, 1_099_511_627_776),
    '268435456',
    'Bytes of memory that the live texts of one node may take, a quarter of them those of one account; then no further file is opened live.',
  ),
  BOTTEGA_LIVE_SAVE_PAUSE: setting(
    integer(10, 3_600_000),
    '2000',
    'Milliseconds without a change after which a live text is saved, in projects with `auto_save`.',
  ),
  BOTTEGA_LIVE_SAVE_INTERVAL: setting(
    integer(10, 3_600_000),
    '10000',
    'Milliseconds after which a live text is saved though it keeps being changed.',
  ),
  BOTTEGA_LIVE_FILE_OPERATIONS: setting(
    integer(1, 1_000_000),
    '100',
    'Files that may be created, deleted and renamed in one live session within a minute.',
  ),
  BOTTEGA_BACKUP_SCHEDULE: optional(
    crontabTime,
    'When a backup is made by itself: the five fields of a crontab, in UTC, such as `30 3 * * *` for half past three every night.',
  ),
  BOTTEGA_BACKUP_DIR: optional(
    directoryOrBucket,
    'Directory of these backups, or `s3://bucket/prefix`. Without it, `backups` in `BOTTEGA_DATA_DIR`; better is one on another disk.',
  ),
  BOTTEGA_BACKUP_KEEP: setting(integer(1, 10_000), '7', 'How many of them are kept.'),
  BOTTEGA_BACKUP_PASSPHRASE_FILE: optional(
    (value) => resolve(text(value)),
    'File with the passphrase that they are encrypted with.',
  ),
  BOTTEGA_OBJECTS: optional(
    bucket,
    '`s3://bucket/prefix`: what deployments serve is kept there instead of in the database. `bottega objects move` brings there what was made before, or back.',
  ),
  BOTTEGA_S3_ENDPOINT: optional(
    httpUrl,
    "Address of an S3 store that is not that of Amazon. Credentials are those of `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or whatever else Amazon's own programs find.",
  ),
  AWS_REGION: optional(text, 'Region of the buckets. With `BOTTEGA_S3_ENDPOINT`, `us-east-1` without it.'),
  BOTTEGA_EVENT_DAYS: setting(integer(1, 3650), '30', 'Days for which events are kept.'),
  BOTTEGA_WEBHOOK_FORMAT: setting(
    oneOf('reference', 'core', 'guide'),
    'reference',
    'Format of webhooks that are created at `/api/webhooks` without one. Below `/v1` and `/api/v1` it is `core`.',
  ),
  BOTTEGA_WEBHOOK_LIMIT: setting(integer(1, 100_000), '100', 'Webhooks that an account may have.'),
  BOTTEGA_WEBHOOK_TIMEOUT_LIMIT: setting(integer(1, 600), '60', 'Largest timeout of a webhook, in seconds.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    trimmed,
    'Collector of OpenTelemetry that traces are sent to, such as `http://localhost:4318`; `/v1/traces` is added. Without it nothing is traced. [observability](observability/README.md#traces) says what is. A bad value of these does not stop the start.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(trimmed, 'The same as a whole address.'),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional(
    trimmed,
    '`http/protobuf`, the default, or `http/json`. `grpc` is not offered.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional(trimmed, 'The same, before the other.'),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    trimmed,
    'Headers for the collector, as `name=value,name=value`, percent-encoded. Its certificates and compression are set by `OTEL_EXPORTER_OTLP_CERTIFICATE`, `_CLIENT_KEY`, `_CLIENT_CERTIFICATE` and `_COMPRESSION`.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: optional(trimmed, 'The same, before the other.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: optional(
    trimmed,
    'Milliseconds that the collector has to take a batch. Without it, 10000.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: optional(trimmed, 'The same, before the other.'),
  OTEL_SERVICE_NAME: optional(trimmed, 'Name of the service in its traces. Without it, `bottega`.'),
  OTEL_RESOURCE_ATTRIBUTES: optional(trimmed, 'What else its traces say of it, as `name=value,name=value`.'),
  OTEL_TRACES_SAMPLER: optional(
    trimmed,
    '`always_on`, the default, `always_off` or `traceidratio`; each also with `parentbased_`, which is the same here.',
  ),
  OTEL_TRACES_SAMPLER_ARG: optional(trimmed, 'With `traceidratio`: the share of traces that is sent, from 0 to 1.'),
  OTEL_TRACES_EXPORTER: optional(trimmed, '`otlp`, the default, or `none`: nothing is traced.'),
  OTEL_SDK_DISABLED: optional(trimmed, '`true`: nothing is traced.'),
  OTEL_BSP_SCHEDULE_DELAY: optional(trimmed, 'Milliseconds between two batches of spans. Without it, 5000.'),
  OTEL_BSP_EXPORT_TIMEOUT: optional(trimmed, 'Milliseconds after which a batch is given up. Without it, 30000.'),
  OTEL_BSP_MAX_QUEUE_SIZE: optional(
    trimmed,
    'Spans that wait at most in each process; others are dropped. Without it, 2048.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: optional(trimmed, 'Spans of a batch at most. Without it, 512.'),
} satisfies Record<string, Setting<unknown>>;

/** Every setting, read. */
export type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };
