/*
 * Why something of the service failed or ended: a code for programs and translations, and its sentence in English. The
 * service makes its sentences from these tables, and finds the code of a stored sentence in them. So no code is stored,
 * and a sentence that an earlier version worded differently has none. Values are between braces.
 *
 * Codes and values stay. A sentence may be worded better.
 */

/** Why the service disabled a webhook. */
export const webhookReasons = {
  deliveries_failing: 'Its deliveries failed for too long',
  endpoint_gone: 'The endpoint responded with 410 Gone',
  filters_too_slow: 'The path filters of your webhooks take too long to evaluate',
} as const;

/** Why an attempt to deliver an event failed. The sentences that begin in lower case are those of Node. */
export const deliveryReasons = {
  webhook_inactive: 'The webhook is inactive',
  owner_lost_access: 'The owner of the webhook can no longer see this event',
  delivery_timed_out: 'Timed out after {seconds} s',
  http_status: 'HTTP {status}',
  connection_failed: 'The connection failed',
  connection_refused: 'connect ECONNREFUSED {address}',
  connection_reset: 'read ECONNRESET',
  connection_closed: 'other side closed (UND_ERR_SOCKET)',
  host_not_found: 'getaddrinfo ENOTFOUND {host}',
  address_not_allowed: 'connections to {address} are not allowed',
  certificate_self_signed:
    'The certificate of the endpoint is self-signed; it must come from a trusted authority ({detail})',
  certificate_untrusted: 'The certificate of the endpoint comes from an authority that is not trusted ({detail})',
  certificate_chain_incomplete:
    'The certificate of the endpoint comes from an authority that is not trusted, or its chain is incomplete ({detail})',
  certificate_expired: 'The certificate of the endpoint has expired ({detail})',
  certificate_not_yet_valid: 'The certificate of the endpoint is not valid yet ({detail})',
  certificate_revoked: 'The certificate of the endpoint was revoked ({detail})',
  certificate_of_other_host: 'The certificate of the endpoint is not for the host name in the URL ({detail})',
} as const;

/** Why files could not be imported from another server. */
export const importReasons = {
  import_interrupted: 'Something went wrong on our side; the service will try again',
  import_diverged: 'The project and the repository have diverged: both have new commits',
  import_unrelated:
    'The project and the repository have no commit in common, so nothing was imported; push the history of one to the other first',
  not_version_controlled: 'The project is not under version control',
  address_invalid: 'The address must begin with http:// or https:// and must not contain credentials',
  host_name_invalid: '{host} is not a valid host name',
  host_not_public: '{host} is not a public address, so nothing is fetched from it',
  host_unknown: 'The host {host} was not found',
  branch_missing: 'The repository has no branch {branch}',
  repository_private: 'The repository is private or does not exist',
  repository_missing: 'No repository was found at this address',
  repository_moved: 'The address redirects to another address; use that one instead',
  repository_too_large: 'The repository is larger than {size}',
  repository_too_many_tags: 'The repository has too many tags',
  fetch_failed: 'The repository could not be fetched: {detail}',
} as const;

/** What is wrong with a project's bottega.json. */
const projectFileReasons = {
  project_file_not_json: 'bottega.json is not a JSON object',
  project_file_too_large: 'bottega.json has more than {bytes} bytes',
  project_file_mistake: 'bottega.json: {detail}',
} as const;

/** Why an installation cannot run commands. The details are for its operator. */
const sandboxReasons = {
  commands_disabled: 'This installation runs no commands: BOTTEGA_BUILD_DRIVER is none',
  builds_unavailable: 'Only projects without a build command can be deployed here: {detail}',
  sandbox_failed: 'The sandbox could not be set up: {detail}',
  sandbox_network_failed: 'The network of the sandbox could not be set up: {detail}',
} as const;

/** Why the process of a server app ended, or cannot start. */
export const appReasons = {
  app_exited: 'The app exited with code {code}',
  app_exited_early: 'The app exited with code {code} before it responded',
  app_memory: 'The app used too much memory',
  app_memory_early: 'The app used too much memory before it responded',
  app_disk: 'The app used too much disk',
  app_disk_early: 'The app used too much disk before it responded',
  app_silent: 'The app did not respond on its PORT within {seconds} seconds',
  app_unresponsive: 'The app does not respond',
  app_internal: 'The app could not be started because of an internal error',
  app_limit: 'The {plan} plan allows {count} running server apps, and all are in use',
  ...sandboxReasons,
} as const;

/** Why a deployment failed. */
export const deploymentReasons = {
  deployment_canceled: 'The deployment was canceled',
  deployment_canceled_early: 'Canceled before the deployment started',
  deployment_replaced: 'A newer push replaced this deployment',
  deployment_branch_deleted: 'The branch was deleted',
  deployment_internal: 'Something went wrong on our side',
  machine_disk_full: 'The disk on the build machine is full',
  storage_unavailable: 'The output could not be stored: the object storage does not respond',
  build_exited: 'The build command exited with code {code}',
  build_timed_out: 'The build took longer than {seconds} seconds',
  build_memory: 'The build used more than {bytes} bytes of memory',
  build_disk: 'The build used more than {bytes} bytes of disk space',
  output_missing: 'The directory {directory} does not exist',
  output_empty: 'The output directory has no files to serve',
  output_outside: 'The output directory is outside the project',
  output_name_invalid: 'The output directory has an invalid name',
  nothing_to_serve: 'There is nothing to serve: no build command and no index.html',
  no_index_page:
    'The build created no index.html in {directories} or the root; set the output directory in bottega.json',
  output_unreadable: 'The build output could not be read: {detail}',
  output_timed_out: 'The build output could not be collected within {seconds} seconds',
  output_memory: 'Collecting the build output used too much memory',
  output_too_deep: 'The output has directories nested more than {levels} levels deep',
  output_path_too_long: 'The output has a path longer than {characters} characters',
  output_paths_too_long: 'The output has paths that are too long, or nested too deep',
  no_tar: 'The build environment has no tar',
  no_worker: 'No worker started the app within {seconds} seconds',
  ...projectFileReasons,
  ...appReasons,
} as const;

/** Why a workspace failed, or which files it could not save. */
export const workspaceReasons = {
  workspace_branch_deleted: 'The branch was deleted',
  workspace_memory: 'The workspace used too much memory',
  workspace_disk: 'The workspace used too much disk space',
  workspace_exited: 'The workspace ended unexpectedly with code {code}',
  workspace_ended: 'The workspace ended: {detail}',
  workspace_internal: 'The workspace stopped because of an internal error',
  workspace_files_lost: 'This worker has lost files of the workspace; start it again',
  workspace_elsewhere: 'Another worker runs the workspace',
  head_detached: 'HEAD is detached: files are saved again after a branch is checked out',
  branch_unknown: 'The branch {branch} has no commit that the service has: push it first',
  checkout_failed: 'The workspace could not follow the branch that was checked out; it is tried again',
  checkout_refused: 'The workspace cannot follow the branch {branch}: {detail}',
  file_not_saved: '{path} could not be saved: {detail}',
  file_of_protected_branch: '{path} could not be saved: The branch {branch} changes only by merge requests',
  file_of_lost_account: '{path} could not be saved: The account that last used the workspace is suspended or gone',
  ignored_files_not_stored: 'Files that git ignores were not stored: {detail}',
  ignored_files_missing: 'Files that git ignores are missing: {detail}',
  ...projectFileReasons,
  ...sandboxReasons,
} as const;

/** Why a merge is refused. */
const mergeReasons = {
  merge_conflicts: 'The branches have conflicting changes',
  merge_nothing: 'The target already has all commits of the source',
  merge_not_fast_forward: 'The target has commits that the source does not have, so it cannot be fast-forwarded',
  merge_unrelated: 'The two histories have no commit in common',
  merge_source_moved: 'The source has moved to another commit',
  merge_target_moved: 'The target has moved to another commit',
  branch_protected: 'The branch {branch} changes only by merge requests',
} as const;

/** Why the checks of a merge request cannot run. */
export const checkReasons = { ...mergeReasons, ...projectFileReasons } as const;

/** Why a merge request left the queue of its target. */
export const queueReasons = {
  queue_target_changed: 'It has another target now',
  queue_target_deleted: 'The target branch is gone',
  queue_source_changed: 'The source has new commits',
  queue_checks_failed: 'Did not succeed: {names}',
  ...mergeReasons,
} as const;

/** Why newer commits of a fork did not become a version of a merge request. */
export const forkReasons = {
  fork_unreadable: "The fork cannot be read in the author's name: {detail}",
} as const;

/** Why a domain failed, in a notification. A domain itself has the type of its reason. */
export const domainReasons = {
  domain_unproven: 'No DNS record proves that the domain belongs to this project',
  domain_unanswered: 'The name servers of the domain do not respond',
  domain_lost: 'Another project has proved that it owns the domain',
} as const;

/** All of them, for their words in another language. */
export const reasons = {
  ...webhookReasons,
  ...deliveryReasons,
  ...importReasons,
  ...deploymentReasons,
  ...workspaceReasons,
  ...checkReasons,
  ...queueReasons,
  ...forkReasons,
  ...domainReasons,
} as const;
export type ReasonCode = keyof typeof reasons;
