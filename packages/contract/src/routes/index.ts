import { accountRoutes } from './accounts.ts';
import { adminRoutes } from './admin.ts';
import { branchRuleRoutes } from './branch-rules.ts';
import { checkRoutes } from './checks.ts';
import { collaboratorRoutes, invitationRoutes, transferRoutes } from './collaborators.ts';
import { commentRoutes, projectCommentRoutes } from './comments.ts';
import { apiKeyRoutes, serviceAccountRoutes, serviceRoutes } from './credentials.ts';
import { deliveryRoutes } from './deliveries.ts';
import { deploymentRoutes } from './deployments.ts';
import { domainRoutes } from './domains.ts';
import { eventRoutes } from './events.ts';
import { fileRoutes } from './files.ts';
import { historyRoutes } from './history.ts';
import { mergeRequestRoutes } from './merge-requests.ts';
import { notificationRoutes } from './notifications.ts';
import { oauthAppRoutes } from './oauth.ts';
import { projectRoutes } from './projects.ts';
import { reviewRoutes } from './reviews.ts';
import { participantRoutes, sessionRoutes } from './sessions.ts';
import { signInRoutes } from './sign-in.ts';
import { templateRoutes } from './templates.ts';
import { userRoutes } from './user.ts';
import { variableRoutes } from './variables.ts';
import { webhookRoutes } from './webhooks.ts';
import { workspaceAgentRoutes } from './workspace-agents.ts';
import { workspaceProcessRoutes } from './workspace-processes.ts';
import { workspaceRoutes } from './workspaces.ts';

/** Every route below /v1 and /api/v1, by the name of its operation. */
export const routes = {
  ...accountRoutes,
  ...signInRoutes,
  ...userRoutes,
  ...apiKeyRoutes,
  ...serviceRoutes,
  ...serviceAccountRoutes,
  ...oauthAppRoutes,
  ...adminRoutes,
  ...projectRoutes,
  ...collaboratorRoutes,
  ...invitationRoutes,
  ...transferRoutes,
  ...fileRoutes,
  ...historyRoutes,
  ...mergeRequestRoutes,
  ...reviewRoutes,
  ...branchRuleRoutes,
  ...checkRoutes,
  ...templateRoutes,
  ...deploymentRoutes,
  ...variableRoutes,
  ...domainRoutes,
  ...webhookRoutes,
  ...deliveryRoutes,
  ...eventRoutes,
  ...sessionRoutes,
  ...participantRoutes,
  ...commentRoutes,
  ...projectCommentRoutes,
  ...notificationRoutes,
  ...workspaceRoutes,
  ...workspaceProcessRoutes,
  ...workspaceAgentRoutes,
};

type Routes = typeof routes;

/** Routes by address, such as `GET /projects/{project_id}`. A small client needs only the types of this table. */
export type RoutesByAddress = { [Name in keyof Routes as Routes[Name]['address']]: Routes[Name] };
