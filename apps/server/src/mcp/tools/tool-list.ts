import { listChecks, runChecks } from './checks.ts';
import { changeDeployment, createDeployment, listDeployments, readDeployment, readLogs } from './deployments.ts';
import { listCommits, readCommit } from './history.ts';
import {
  answerThread,
  listMergeRequests,
  mergeMergeRequest,
  proposeMerge,
  reviewMergeRequest,
} from './merge-requests.ts';
import { createProject, listProjects } from './projects.ts';
import { readCheck } from './reading-checks.ts';
import { listFiles, readFile, searchFiles } from './reading-files.ts';
import { readMergeRequest } from './reading-requests.ts';
import { listSessions } from './sessions.ts';
import type { Tool } from './tool.ts';
import { listDeliveries, listWebhooks, redeliver } from './webhooks.ts';
import { readCommand, readDiagnostics, runCommand, stopCommand, waitForPort } from './workspaces.ts';
import { deleteFile, editFile, moveFile, writeFile } from './writing-files.ts';

/**
 * All tools that every URL offers. Every connected model reads all of them before its first task, so there are at most
 * twenty. Their order never changes, because the cached prefix of a conversation begins with this list.
 */
export const tools: readonly Tool[] = [
  listProjects,
  createProject,
  listFiles,
  readFile,
  searchFiles,
  writeFile,
  editFile,
  moveFile,
  deleteFile,
  listCommits,
  readCommit,
  listDeployments,
  readDeployment,
  readLogs,
  createDeployment,
  changeDeployment,
  listWebhooks,
  listDeliveries,
  redeliver,
  listSessions,
];

/** Sets of tools that a URL adds with `?tools=`, by name. */
export const toolSets = {
  workspace: [runCommand, readCommand, stopCommand, waitForPort, readDiagnostics],
  review: [
    ...[proposeMerge, listMergeRequests, readMergeRequest, reviewMergeRequest, answerThread, mergeMergeRequest],
    ...[listChecks, readCheck, runChecks],
  ],
} as const satisfies Record<string, readonly Tool[]>;

export type ToolSet = keyof typeof toolSets;
export const toolSetNames = Object.keys(toolSets) as ToolSet[];

export const allTools: readonly Tool[] = [...tools, ...Object.values(toolSets).flat()];

/** The set that a tool belongs to. Null if it is available at every address. */
export const setOf = (tool: Tool): ToolSet | null =>
  toolSetNames.find((name) => (toolSets[name] as readonly Tool[]).includes(tool)) ?? null;
