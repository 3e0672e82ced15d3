import { join } from 'node:path';
import type { Plan } from '@bottega/contract';
import { memoryOfMachine } from '../processes/memory-of-machine.ts';
import type { Values } from './settings.ts';
import { localUrl, tlsOf } from './tls.ts';
import { ofTracing } from './tracing.ts';

export type Tier = { requests: number; burst: number };
/** The limits of a plan. Null means that the plan sets no limit. */
export type PlanLimits = {
  rate: Tier;
  projects: number | null;
  storedBytes: number | null;
  files: number | null;
  /** Maximum number of concurrent builds. */
  builds: number | null;
  apps: number | null;
  domains: number | null;
  workspaces: number | null;
  /** Maximum number of hours for which workspaces can run in a month. */
  workspaceHours: number | null;
  /** Whether programs in workspaces can reach public addresses. */
  workspaceNetwork: boolean;
  languageServers: boolean;
};

/** Reads one limit from every plan. */
export function ofEachPlan<Name extends keyof PlanLimits>(
  plans: Record<Plan, PlanLimits>,
  name: Name,
): Record<Plan, PlanLimits[Name]> {
  return { free: plans.free[name], pro: plans.pro[name], enterprise: plans.enterprise[name] };
}

export type Config = Readonly<ReturnType<typeof shape>>;

/** Arranges the settings in the form that the service uses. */
export function shape(values: Values, executablePath: string) {
  const tls = tlsOf(values);
  return {
    port: values.PORT,
    host: values.BOTTEGA_HOST,
    /** Null until the port is known. */
    publicUrl: values.BOTTEGA_PUBLIC_URL ?? (values.PORT === 0 ? null : localUrl(tls, values.PORT)),
    /** Null if a proxy in front of the service terminates TLS, or nothing does. */
    tls,
    dataDir: values.BOTTEGA_DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseSessionUrl: values.DATABASE_SESSION_URL,
    /** Null if there is no replica. */
    replica:
      values.DATABASE_READ_URL === null
        ? null
        : { url: values.DATABASE_READ_URL, maxLagMs: values.BOTTEGA_READ_LAG * 1000 },
    redis: values.REDIS_URL === null ? null : { url: values.REDIS_URL, patienceMs: values.BOTTEGA_REDIS_PATIENCE },
    databasePool: values.BOTTEGA_DATABASE_POOL,
    processes: values.BOTTEGA_PROCESSES,
    secretKey: values.BOTTEGA_SECRET_KEY,
    trustedProxies: values.BOTTEGA_TRUSTED_PROXIES,
    logLevel: values.BOTTEGA_LOG_LEVEL,
    bodyLimit: values.BOTTEGA_BODY_LIMIT,
    fileLimit: values.BOTTEGA_FILE_LIMIT,
    pushLimits: {
      file: values.BOTTEGA_FILE_LIMIT,
      pack: values.BOTTEGA_PUSH_PACK_LIMIT,
      objects: values.BOTTEGA_PUSH_OBJECT_LIMIT,
      unpacked: values.BOTTEGA_PUSH_UNPACKED_LIMIT,
    },
    /** Null if no mail is sent. */
    smtpUrl: values.BOTTEGA_SMTP_URL,
    mailFrom: values.BOTTEGA_MAIL_FROM,
    /** Null if it is not set. */
    signUp: values.BOTTEGA_SIGN_UP,
    sessionLife: { days: values.BOTTEGA_SIGN_IN_DAYS, idleHours: values.BOTTEGA_SIGN_IN_IDLE_HOURS },
    auditDays: values.BOTTEGA_AUDIT_DAYS,
    corsOrigins: values.BOTTEGA_CORS_ORIGINS,
    mcp: values.BOTTEGA_MCP === 'on',
    clientDocuments: values.BOTTEGA_CLIENT_DOCUMENTS === 'on',
    gitCacheLimit: values.BOTTEGA_GIT_CACHE_LIMIT,
    ...ofGit(values),
    /** Null if it is not set. */
    importAllow: values.BOTTEGA_IMPORT_ALLOW,
    ...ofWebhooks(values),
    /** The search path for system programs, such as git. */
    executablePath,
    fileBodyLimit: values.BOTTEGA_FILE_BODY_LIMIT,
    shutdownTimeout: values.BOTTEGA_SHUTDOWN_TIMEOUT,
    lameDuckSeconds: values.BOTTEGA_LAME_DUCK_SECONDS,
    metricsToken: values.BOTTEGA_METRICS_TOKEN,
    sessionRate: values.BOTTEGA_RATE_LIMIT_SESSION,
    collaborationRate: values.BOTTEGA_RATE_LIMIT_COLLABORATION,
    rateWindow: values.BOTTEGA_RATE_LIMIT_WINDOW,
    burstWindow: values.BOTTEGA_RATE_LIMIT_BURST_WINDOW,
    /** Where pieces of artifacts are stored. Null means in the database. */
    objects: values.BOTTEGA_OBJECTS,
    s3: { endpoint: values.BOTTEGA_S3_ENDPOINT, region: values.AWS_REGION },
    backups: {
      /** Null if there are no scheduled backups. */
      schedule: values.BOTTEGA_BACKUP_SCHEDULE,
      directory: values.BOTTEGA_BACKUP_DIR ?? join(values.BOTTEGA_DATA_DIR, 'backups'),
      keep: values.BOTTEGA_BACKUP_KEEP,
      passphraseFile: values.BOTTEGA_BACKUP_PASSPHRASE_FILE,
    },
    /** Null means the name servers of the system. */
    nameServers: values.BOTTEGA_NAME_SERVERS,
    eventDays: values.BOTTEGA_EVENT_DAYS,
    restoreDays: values.BOTTEGA_RESTORE_DAYS,
    invitationDays: values.BOTTEGA_INVITATION_DAYS,
    plans: {
      free: limitsOf(values, 'FREE'),
      pro: limitsOf(values, 'PRO'),
      enterprise: limitsOf(values, 'ENTERPRISE'),
    } satisfies Record<Plan, PlanLimits>,
    ...ofCollaboration(values),
    ...ofDeployments(values),
    tracing: ofTracing(values),
  };
}

const limitsOf = (values: Values, plan: 'FREE' | 'PRO' | 'ENTERPRISE'): PlanLimits => ({
  rate: values[`BOTTEGA_RATE_LIMIT_${plan}` as const],
  projects: values[`BOTTEGA_PROJECT_LIMIT_${plan}` as const],
  storedBytes: values[`BOTTEGA_STORAGE_LIMIT_${plan}` as const],
  files: values[`BOTTEGA_FILES_LIMIT_${plan}` as const],
  builds: values[`BOTTEGA_BUILDS_${plan}` as const],
  apps: values[`BOTTEGA_APPS_${plan}` as const],
  domains: values[`BOTTEGA_DOMAINS_${plan}` as const],
  workspaces: values[`BOTTEGA_WORKSPACES_${plan}` as const],
  workspaceHours: values[`BOTTEGA_WORKSPACE_HOURS_${plan}` as const],
  workspaceNetwork: values[`BOTTEGA_WORKSPACE_NETWORK_${plan}` as const] === 'public',
  languageServers: values[`BOTTEGA_LANGUAGE_SERVERS_${plan}` as const] === 'on',
});

/**
 * Memory in bytes that the git process of a merge may use. Other git processes use about as much, mostly for mapped
 * files.
 */
export const memoryOfOneGit = 512 * 2 ** 20;

function ofGit(values: Values) {
  const gitMemory = values.BOTTEGA_GIT_MEMORY ?? Math.max(memoryOfOneGit, Math.floor(memoryOfMachine() / 4));
  const total = Math.min(values.BOTTEGA_GIT_PROCESSES, Math.floor(gitMemory / memoryOfOneGit));
  return { gitMemory, gitSlots: { total, perAccount: Math.ceil(total / 4), maxWaiting: 100 } };
}

const ofWebhooks = (values: Values) => ({
  webhooks: {
    /** Null if it is not set. */
    allow: values.BOTTEGA_WEBHOOK_ALLOW && {
      networks: values.BOTTEGA_WEBHOOK_ALLOW.flatMap((entry) => ('network' in entry ? [entry.network] : [])),
      hosts: values.BOTTEGA_WEBHOOK_ALLOW.flatMap((entry) => ('host' in entry ? [entry.host] : [])),
    },
    days: values.BOTTEGA_WEBHOOK_DAYS,
    limits: {
      concurrency: values.BOTTEGA_WEBHOOK_CONCURRENCY,
      bodyLimit: values.BOTTEGA_WEBHOOK_BODY_LIMIT,
      pauseSeconds: values.BOTTEGA_WEBHOOK_PAUSE,
      leaseSeconds: values.BOTTEGA_WEBHOOK_LEASE,
    },
  },
  webhookFormat: values.BOTTEGA_WEBHOOK_FORMAT,
  webhookLimits: { webhooks: values.BOTTEGA_WEBHOOK_LIMIT, timeout: values.BOTTEGA_WEBHOOK_TIMEOUT_LIMIT },
});

const ofCollaboration = (values: Values) => ({
  sessions: {
    keptDays: values.BOTTEGA_SESSION_DAYS,
    lifeSeconds: values.BOTTEGA_SESSION_TTL,
    warningSeconds: values.BOTTEGA_SESSION_WARNING,
    participants: values.BOTTEGA_SESSION_PARTICIPANTS,
  },
  live: {
    socketsOfUser: values.BOTTEGA_LIVE_SOCKETS,
    socketsOfNode: values.BOTTEGA_LIVE_NODE_SOCKETS,
    frameBytes: values.BOTTEGA_LIVE_FRAME_LIMIT,
    bufferBytes: values.BOTTEGA_LIVE_BUFFER_LIMIT,
    framesPerSecond: values.BOTTEGA_LIVE_MESSAGE_RATE,
    idleSeconds: values.BOTTEGA_LIVE_IDLE_TIMEOUT,
    leaseSeconds: values.BOTTEGA_LIVE_LEASE,
  },
  /** Null if it is not set. */
  nodeUrl: values.BOTTEGA_NODE_URL,
  liveTexts: {
    fileBytes: values.BOTTEGA_LIVE_FILE_LIMIT,
    ring: { revisions: values.BOTTEGA_LIVE_REVISIONS, bytes: values.BOTTEGA_LIVE_REVISIONS_BYTES },
    savePauseMs: values.BOTTEGA_LIVE_SAVE_PAUSE,
    saveIntervalMs: values.BOTTEGA_LIVE_SAVE_INTERVAL,
    fileOperations: values.BOTTEGA_LIVE_FILE_OPERATIONS,
    unstoredBytes: values.BOTTEGA_LIVE_UNSTORED_LIMIT,
    memoryBytes: values.BOTTEGA_LIVE_MEMORY_LIMIT,
  },
});

const ofDeployments = (values: Values) => ({
  artifacts: { days: values.BOTTEGA_ARTIFACT_DAYS, kept: values.BOTTEGA_ARTIFACTS_KEPT },
  /** 0 means that a preview is retired only when its branch is deleted. */
  previewDays: values.BOTTEGA_PREVIEW_DAYS,
  apps: {
    /**
     * The default is the port after the API's. 0 means any free port, and is also the default if there is no next port.
     */
    port: values.BOTTEGA_APPS_PORT ?? (values.PORT === 0 || values.PORT === 65_535 ? 0 : values.PORT + 1),
    /** Null until the port is known. */
    url: values.BOTTEGA_APPS_URL,
    host: values.BOTTEGA_APP_HOST,
    concurrency: values.BOTTEGA_APP_CONCURRENCY,
    memoryBytes: values.BOTTEGA_APP_MEMORY,
    startSeconds: values.BOTTEGA_APP_START_TIMEOUT,
    idleSeconds: values.BOTTEGA_APP_IDLE,
  },
  workspaces: {
    concurrency: values.BOTTEGA_WORKSPACE_CONCURRENCY,
    memoryBytes: values.BOTTEGA_WORKSPACE_MEMORY,
    diskBytes: values.BOTTEGA_WORKSPACE_DISK,
    idleSeconds: values.BOTTEGA_WORKSPACE_IDLE,
    /** Null if it is not set. */
    languageServers: values.BOTTEGA_LANGUAGE_SERVERS,
  },
  builds: {
    driver: values.BOTTEGA_BUILD_DRIVER,
    concurrency: values.BOTTEGA_BUILD_CONCURRENCY,
    /** Null if it is not set. */
    directory: values.BOTTEGA_BUILD_DIR,
    wantsNetwork: values.BOTTEGA_BUILD_NETWORK === 'public',
    image: values.BOTTEGA_BUILD_IMAGE,
    socket: values.BOTTEGA_CONTAINER_SOCKET,
    certificates: values.BOTTEGA_CONTAINER_CERTS,
    /** Null means the same number as outside containers. */
    containerCpus: values.BOTTEGA_CONTAINER_CPUS,
    containerNetwork: values.BOTTEGA_CONTAINER_NETWORK,
    logBytes: values.BOTTEGA_DEPLOYMENT_LOG_LIMIT,
    logDays: values.BOTTEGA_DEPLOYMENT_LOG_DAYS,
    limits: {
      memoryBytes: values.BOTTEGA_BUILD_MEMORY,
      processes: values.BOTTEGA_BUILD_PROCESSES,
      fileBytes: values.BOTTEGA_BUILD_FILE_LIMIT,
      cpus: values.BOTTEGA_BUILD_CPUS,
      diskBytes: values.BOTTEGA_BUILD_DISK,
      diskEntries: Math.ceil(values.BOTTEGA_BUILD_DISK / 4096),
      seconds: values.BOTTEGA_BUILD_TIMEOUT,
      artifactBytes: values.BOTTEGA_ARTIFACT_LIMIT,
    },
  },
});
