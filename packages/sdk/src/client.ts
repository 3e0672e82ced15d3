import { type Deployments, withFollowing } from './deployments.ts';
import { createEvents, type Events } from './events.ts';
import { type Files, withWrite } from './files.ts';
import { operations } from './generated/operations.ts';
import type * as Generated from './generated/resources.ts';
import type { ClientOptions } from './options.ts';
import { createResource } from './resource.ts';
import { type Sessions, withJoin } from './sessions.ts';
import { createTransport } from './transport.ts';
import { type Workspaces, withOutput } from './workspaces.ts';

/** A client of one Bottega service, with the credential of one account. */
export class Bottega {
  readonly user: Generated.UserResource;
  readonly apiKeys: Generated.ApiKeysResource;
  readonly services: Generated.ServicesResource;
  readonly serviceAccounts: Generated.ServiceAccountsResource;
  readonly oauthApps: Generated.OauthAppsResource;
  readonly authorizedApps: Generated.AuthorizedAppsResource;
  readonly admin: Generated.AdminResource;
  readonly projects: Generated.ProjectsResource;
  readonly collaborators: Generated.CollaboratorsResource;
  readonly projectComments: Generated.ProjectCommentsResource;
  readonly notifications: Generated.NotificationsResource;
  readonly invitations: Generated.InvitationsResource;
  readonly transfers: Generated.TransfersResource;
  readonly files: Files;
  readonly commits: Generated.CommitsResource;
  readonly branches: Generated.BranchesResource;
  readonly mergeRequests: Generated.MergeRequestsResource;
  readonly templates: Generated.TemplatesResource;
  readonly deployments: Deployments;
  readonly workspaces: Workspaces;
  readonly domains: Generated.DomainsResource;
  readonly variables: Generated.VariablesResource;
  readonly events: Events;
  readonly webhooks: Generated.WebhooksResource;
  readonly deliveries: Generated.DeliveriesResource;
  readonly sessions: Sessions;
  readonly participants: Generated.ParticipantsResource;
  readonly comments: Generated.CommentsResource;

  constructor(options: ClientOptions = {}) {
    const transport = createTransport(options);
    this.user = createResource(transport, operations.user);
    this.apiKeys = createResource(transport, operations.apiKeys);
    this.services = createResource(transport, operations.services);
    this.serviceAccounts = createResource(transport, operations.serviceAccounts);
    this.oauthApps = createResource(transport, operations.oauthApps);
    this.authorizedApps = createResource(transport, operations.authorizedApps);
    this.admin = createResource(transport, operations.admin);
    this.projects = createResource(transport, operations.projects);
    this.collaborators = createResource(transport, operations.collaborators);
    this.projectComments = createResource(transport, operations.projectComments);
    this.notifications = createResource(transport, operations.notifications);
    this.invitations = createResource(transport, operations.invitations);
    this.transfers = createResource(transport, operations.transfers);
    this.files = withWrite(transport, createResource(transport, operations.files));
    this.commits = createResource(transport, operations.commits);
    this.branches = createResource(transport, operations.branches);
    this.mergeRequests = createResource(transport, operations.mergeRequests);
    this.templates = createResource(transport, operations.templates);
    this.deployments = withFollowing(transport, createResource(transport, operations.deployments));
    this.workspaces = withOutput(transport, createResource(transport, operations.workspaces));
    this.domains = createResource(transport, operations.domains);
    this.variables = createResource(transport, operations.variables);
    this.events = createEvents(transport);
    this.webhooks = createResource(transport, operations.webhooks);
    this.deliveries = createResource(transport, operations.deliveries);
    this.participants = createResource(transport, operations.participants);
    const sessions = createResource<Generated.SessionsResource>(transport, operations.sessions);
    this.sessions = withJoin(transport, { sessions, participants: this.participants });
    this.comments = createResource(transport, operations.comments);
  }
}
