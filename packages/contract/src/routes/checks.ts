import {
  ChangeCheckRun,
  CheckAnnotationList,
  CheckLogs,
  CheckRun,
  CheckRunList,
  CheckRunQuery,
  CommitChecks,
  CreateCheckRun,
  RequestChecks,
  RunChecks,
  StartRequestChecks,
} from '../checks.ts';
import { DeploymentLogsQuery } from '../deployments.ts';
import { defineRoutes, peopleOnly } from './route.ts';

const one = '/projects/{project_id}/checks/{check_id}';
const writers = 'Only members who can edit the project can call this route, with the `write:checks` scope.';

export const checkRoutes = defineRoutes('Checks', {
  listCheckRuns: {
    address: 'GET /projects/{project_id}/checks',
    access: 'read:checks',
    summary: "List a project's checks, newest first",
    query: CheckRunQuery,
    responses: { 200: CheckRunList },
  },
  createCheckRun: {
    address: 'POST /projects/{project_id}/checks',
    access: 'write:checks',
    summary: 'Report the result of an external check for a commit',
    description: `A report with the same \`name\` for the same files replaces the previous report. ${writers}`,
    body: CreateCheckRun,
    responses: { 201: CheckRun },
  },
  runChecks: {
    address: 'POST /projects/{project_id}/checks/run',
    access: 'write:checks',
    summary: 'Run the checks from bottega.json on a commit',
    description: `A check that has already run on the same files does not run again; its result is returned. ${writers}`,
    body: RunChecks,
    responses: { 201: CommitChecks },
  },
  readCheckRun: {
    address: `GET ${one}`,
    access: 'read:checks',
    summary: 'Read a check',
    responses: { 200: CheckRun },
  },
  changeCheckRun: {
    address: `PATCH ${one}`,
    access: 'write:checks',
    summary: 'Change the reported result of an external check',
    description: `Returns 409 for a check that runs here. \`annotations\` are added to those that the check already has. ${writers}`,
    body: ChangeCheckRun,
    responses: { 200: CheckRun },
  },
  listCheckAnnotations: {
    address: `GET ${one}/annotations`,
    access: 'read:checks',
    summary: "List a check's annotations",
    responses: { 200: CheckAnnotationList },
  },
  readCheckLogs: {
    address: `GET ${one}/logs`,
    access: 'read:checks',
    summary: "Read a check's log; with `Accept: text/event-stream`, follow the log",
    description:
      'In a stream, each line is a `log` event whose id is the `seq` of the line. `Last-Event-ID` resumes after that ' +
      `line. The stream ends with an \`end\` event that contains the conclusion. ${peopleOnly}`,
    query: DeploymentLogsQuery,
    responses: { 200: CheckLogs },
  },
  rerunCheck: {
    address: `POST ${one}/rerun`,
    access: 'write:checks',
    summary: 'Run a completed check again',
    description: `Skipped checks that list this check in \`needs\` run again too. ${writers}`,
    responses: { 200: CheckRun },
  },
  cancelCheck: {
    address: `POST ${one}/cancel`,
    access: 'write:checks',
    summary: 'Cancel a check; the response waits until all its processes have stopped',
    description: writers,
    responses: { 200: CheckRun },
  },
  listCommitChecks: {
    address: 'GET /projects/{project_id}/commits/{sha}/checks',
    access: 'read:checks',
    summary: 'List the checks of a commit',
    responses: { 200: CommitChecks },
  },
  listMergeRequestChecks: {
    address: 'GET /projects/{project_id}/merge-requests/{number}/checks',
    access: 'read:checks',
    summary: 'List the checks of a merge request',
    description: 'Checks run on the merge of the newest version into `target`, and not on `source` alone.',
    responses: { 200: RequestChecks },
  },
  startMergeRequestChecks: {
    address: 'POST /projects/{project_id}/merge-requests/{number}/checks',
    access: 'write:checks',
    summary: 'Start the checks of a merge request from a fork',
    description:
      'Only members who can edit the project can call this route. Look at the changes first: the checks run code from somebody who cannot edit the project. `head_sha` is the commit that you looked at.',
    body: StartRequestChecks,
    responses: { 200: RequestChecks },
  },
});
