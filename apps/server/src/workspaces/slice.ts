import type { FastifyRequest } from 'fastify';
import { credentialsHolding, type SendDiskChange } from '../collaboration/sockets/index.ts';
import type { Bell, OtherAddresses, Pieces, Sandbox } from '../deployments/index.ts';
import { ofEachPlan } from '../foundation/config/index.ts';
import type { SecretBox } from '../foundation/crypto/secret-box.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { hostOf } from '../foundation/tls/own-names.ts';
import type { GitCaches, GitProgram } from '../repository/cache/index.ts';
import type { GitStreams } from '../repository/smart-http/index.ts';
import type { FileWrites } from '../repository/store/index.ts';
import { openInstalledLanguages } from './languages/index.ts';
import { openLayerStore, releaseAllLayers } from './layers/index.ts';
import { createLinks, type Door, linkKeyOf, openDoor } from './links/index.ts';
import { createPasses, createPreviews, portAddressOf } from './previews/index.ts';
import {
  agentRoutes,
  commandRoutes,
  createDiskReads,
  languageRoutes,
  portRoutes,
  processRoutes,
  snapshotRoutes,
  terminalRoutes,
  wakeForVisitor,
  workspaceRoutes,
} from './requests/index.ts';
import {
  findAgentFiles,
  languagesRoot,
  noteLayer,
  openWorkspaceDisk,
  readLayer,
  type Supervisor,
  startSupervisor,
  workspacesRoot,
} from './running/index.ts';
import { portLabel, type WorkspaceRow } from './state/index.ts';

type Needs = {
  forWorkspaces: {
    sandbox: Sandbox;
    bell: Bell;
    box: SecretBox;
    pieces: Pieces;
    appUrl(name: string): string;
    appsUrl(): string;
    /** Why no workspace can run in this installation. Null if workspaces can run. */
    problem(): Promise<string | null>;
    /** Serves addresses below the host of apps. */
    serve(given: OtherAddresses): void;
  };
  writing: Pick<FileWrites, 'writeQueue' | 'quota' | 'deltas'>;
  gitStreams: GitStreams;
  git: GitProgram;
  caches: GitCaches;
  sendDiskChange: SendDiskChange;
  /** Throws once the caller of a long request has lost the right to make it. */
  stillHolds(request: FastifyRequest): Promise<void>;
};

/** The limits and rights that each plan gives to running workspaces. */
const rulesOf = (plans: Parameters<typeof ofEachPlan>[0]) => ({
  hours: ofEachPlan(plans, 'workspaceHours'),
  networks: ofEachPlan(plans, 'workspaceNetwork'),
  languagePlans: ofEachPlan(plans, 'languageServers'),
});

/** Workspaces: a branch's files in a running sandbox, with commands, terminals and ports. */
export function createWorkspaces(ground: Ground, needs: Needs) {
  const { forWorkspaces, writing, sendDiskChange, stillHolds, gitStreams, git, caches } = needs;
  const { config, db, vital, once, publicUrl, role, isDraining } = ground;
  const { bell, sandbox, box, appUrl, appsUrl, problem } = forWorkspaces;
  const { idleSeconds, concurrency, memoryBytes, diskBytes } = config.workspaces;
  const key = linkKeyOf(ground.secretKey);
  const links = createLinks(key);
  const passes = createPasses(ground.secretKey);
  const portUrl = (workspaceId: string, port: number) => appUrl(portLabel(workspaceId, port));
  const limits = ofEachPlan(config.plans, 'workspaces');
  const rules = rulesOf(config.plans);
  const tools = { db, ...rules, limits, bell, idleSeconds, problem, publicUrl, links, stillHolds, isDraining };
  const credentialsHold = credentialsHolding(db, config.sessionLife.idleHours);
  const wake = (row: WorkspaceRow) => wakeForVisitor(tools, row);
  const previews = createPreviews({ db, credentialsHold, links, passes, publicUrl, appsUrl, wake });
  const languages = openInstalledLanguages({ directory: languagesRoot(config), executablePath: config.executablePath });
  let door: Door | null = null;
  let supervisor: Supervisor | null = null;

  return {
    /** For the routes of files: reads files on the disks of running workspaces. */
    disks: createDiskReads({ db, links, fileLimit: config.fileLimit }),
    routes(api: App) {
      workspaceRoutes(api, { ...once, ...tools });
      snapshotRoutes(api, { ...once, ...tools });
      commandRoutes(api, tools);
      terminalRoutes(api, tools);
      languageRoutes(api, tools);
      portRoutes(api, { ...tools, passes, portUrl });
      processRoutes(api, tools);
      agentRoutes(api, tools);
    },
    async health() {
      const [problem = null] = Object.values(languages.problems());
      return role === 'api' || concurrency === 0 ? {} : { language_servers: { problem } };
    },
    cleaning: [releaseAllLayers],
    async start() {
      if (role !== 'worker') {
        const addressOf = (request: Parameters<typeof portAddressOf>[0]) => portAddressOf(request, hostOf(appsUrl()));
        forWorkspaces.serve({
          answer(request, response) {
            const at = addressOf(request);
            return at && previews.answer(at, request, response);
          },
          upgrade(request, socket, head) {
            const at = addressOf(request);
            return at && previews.upgrade(at, request, socket, head);
          },
        });
      }
      if (role === 'api' || concurrency === 0) return;
      door = await openDoor(config.apps.host, key);
      const disk = openWorkspaceDisk(workspacesRoot(config), (directory) => discard(sandbox, directory));
      supervisor = startSupervisor({
        db,
        vital,
        bell,
        sandbox,
        box,
        door,
        concurrency,
        idleSeconds,
        ...rules,
        sendDiskChange,
        gitStreams,
        repository: { git, caches },
        portUrl,
        writes: { db, ...writing, publicUrl },
        disk,
        store: openLayerStore({ db, pieces: forWorkspaces.pieces, limits: ofEachPlan(config.plans, 'storedBytes') }),
        place: disk.layer,
        note: noteLayer,
        noted: readLayer,
        host: config.apps.host,
        agent: findAgentFiles,
        languages,
        limits: { ...config.builds.limits, memoryBytes, diskBytes, diskEntries: Math.ceil(diskBytes / 4096) },
        fileLimit: config.fileLimit,
        changed: bell.ring,
        onError: ground.warn('workspaces'),
      });
    },
    async drain() {
      await supervisor?.stop();
      await door?.close();
      links.close();
    },
  } satisfies Slice & Record<string, unknown>;
}

/** Deletes the data that the driver keeps for a workspace. Without a driver, nothing is deleted. */
async function discard(sandbox: Sandbox, directory: string): Promise<void> {
  const driver = await sandbox.driver().catch(() => null);
  await driver?.keeps?.remove(directory);
}
