import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { auditSearch, userSearch } from './admin/admin-search.ts';
import { hasProjects, projectQuery } from './api/project.ts';
import { sessionQuery } from './api/session.ts';
import { deploymentsSearch, logSearch } from './deployments/deployments-search.ts';
import { pageIn } from './kit/address.ts';
import { ErrorScreen, NotFoundScreen } from './kit/error-screen.tsx';
import { Loading } from './kit/loading.tsx';
import { newProjectSearch, projectSearch } from './projects/project-search.ts';
import { Inside } from './shell/inside.tsx';
import { OfflineBanner } from './shell/offline-banner.tsx';
import { ownPlace } from './sign-in/after-sign-in.ts';
import { deliveriesSearch, figuresSearch, newWebhookSearch, webhooksSearch } from './webhooks/webhooks-search.ts';

/**
 * The table of contents: every screen, its address, and the folder that it is loaded from when it is first needed. It
 * stays one file as it grows: addresses are looked up here, and their types come from the one tree at its end.
 */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <OfflineBanner />
      <Outlet />
    </>
  ),
});

const withNext = (search: Record<string, unknown>): { next?: string | undefined } => ({ next: ownPlace(search.next) });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('./sign-in/sign-in-screen.tsx'), 'SignInScreen'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('./sign-in/sign-up-screen.tsx'), 'SignUpScreen'),
});
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./sign-in/password-screens.tsx'), 'ForgotPasswordScreen'),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./sign-in/password-screens.tsx'), 'ResetPasswordScreen'),
});
const verifyEmail = createRoute({
  getParentRoute: () => root,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('./sign-in/verify-email-screen.tsx'), 'VerifyEmailScreen'),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: Inside,
});
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in' });
    throw redirect({ to: (await hasProjects()) ? '/projects' : '/welcome' });
  },
});
const invitations = createRoute({
  getParentRoute: () => inside,
  path: '/invitations',
  component: lazyRouteComponent(() => import('./people/invitations-screen.tsx'), 'InvitationsScreen'),
});
const invitation = createRoute({
  getParentRoute: () => inside,
  path: '/invitations/$token',
  component: lazyRouteComponent(() => import('./people/invitation-screen.tsx'), 'InvitationScreen'),
});

const projects = createRoute({
  getParentRoute: () => inside,
  path: '/projects',
  validateSearch: projectSearch,
  component: lazyRouteComponent(() => import('./projects/projects-screen.tsx'), 'ProjectsScreen'),
});
const newProject = createRoute({
  getParentRoute: () => inside,
  path: '/new',
  validateSearch: newProjectSearch,
  component: lazyRouteComponent(() => import('./projects/new-project-screen.tsx'), 'NewProjectScreen'),
});

const project = createRoute({
  getParentRoute: () => inside,
  path: '/projects/$projectId',
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.projectId)),
  component: lazyRouteComponent(() => import('./project/project-layout.tsx'), 'ProjectLayout'),
});
const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/files', params });
  },
});
type FilesSearch = { path?: string | undefined; line?: number | undefined; session?: string | undefined };
const files = createRoute({
  getParentRoute: () => project,
  path: '/files',
  validateSearch: (search: Record<string, unknown>): FilesSearch => ({
    path: typeof search.path === 'string' ? search.path : undefined,
    line: Number.isInteger(search.line) ? Number(search.line) : undefined,
    session: typeof search.session === 'string' ? search.session : undefined,
  }),
  component: lazyRouteComponent(() => import('./editor/files-screen.tsx'), 'FilesScreen'),
});
const history = createRoute({
  getParentRoute: () => project,
  path: '/history',
  validateSearch: (search: Record<string, unknown>): { path?: string | undefined; page?: number | undefined } => ({
    path: typeof search.path === 'string' ? search.path : undefined,
    page: pageIn(search.page),
  }),
  component: lazyRouteComponent(() => import('./history/history-screen.tsx'), 'HistoryScreen'),
});
const commit = createRoute({
  getParentRoute: () => project,
  path: '/history/$sha',
  component: lazyRouteComponent(() => import('./history/commit-screen.tsx'), 'CommitScreen'),
});
const deployments = createRoute({
  getParentRoute: () => project,
  path: '/deployments',
  validateSearch: deploymentsSearch,
  component: lazyRouteComponent(() => import('./deployments/deployments-screen.tsx'), 'DeploymentsScreen'),
});
const deployment = createRoute({
  getParentRoute: () => project,
  path: '/deployments/$deploymentId',
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('./deployments/deployment-screen.tsx'), 'DeploymentScreen'),
});
const people = createRoute({
  getParentRoute: () => project,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-screen.tsx'), 'PeopleScreen'),
});
const projectWebhooks = createRoute({
  getParentRoute: () => project,
  path: '/webhooks',
  validateSearch: (search: Record<string, unknown>): { page?: number | undefined } => ({ page: pageIn(search.page) }),
  component: lazyRouteComponent(() => import('./webhooks/project-webhooks-screen.tsx'), 'ProjectWebhooksScreen'),
});
const projectSettings = createRoute({
  getParentRoute: () => project,
  path: '/settings',
  component: lazyRouteComponent(() => import('./project/settings-screen.tsx'), 'ProjectSettingsScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks',
  validateSearch: webhooksSearch,
  component: lazyRouteComponent(() => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
});
const newWebhook = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/new',
  validateSearch: newWebhookSearch,
  component: lazyRouteComponent(() => import('./webhooks/new-webhook-screen.tsx'), 'NewWebhookScreen'),
});
const webhook = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./webhooks/webhook-layout.tsx'), 'WebhookLayout'),
});
const webhookHome = createRoute({
  getParentRoute: () => webhook,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/webhooks/$webhookId/deliveries', params });
  },
});
const deliveries = createRoute({
  getParentRoute: () => webhook,
  path: '/deliveries',
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(() => import('./webhooks/deliveries-screen.tsx'), 'DeliveriesScreen'),
});
const delivery = createRoute({
  getParentRoute: () => webhook,
  path: '/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./webhooks/delivery-screen.tsx'), 'DeliveryScreen'),
});
const figures = createRoute({
  getParentRoute: () => webhook,
  path: '/figures',
  validateSearch: figuresSearch,
  component: lazyRouteComponent(() => import('./webhooks/figures-screen.tsx'), 'FiguresScreen'),
});
const webhookSettings = createRoute({
  getParentRoute: () => webhook,
  path: '/settings',
  component: lazyRouteComponent(() => import('./webhooks/webhook-settings-screen.tsx'), 'WebhookSettingsScreen'),
});

type JoinSearch = { invite?: string | undefined; guest?: true | undefined; path?: string | undefined };
const join = createRoute({
  getParentRoute: () => inside,
  path: '/join/$sessionId',
  validateSearch: ({ invite, guest, path }: Record<string, unknown>): JoinSearch => ({
    // The router reads what looks like a number as one.
    invite: typeof invite === 'string' || typeof invite === 'number' ? String(invite) : undefined,
    guest: guest === true ? true : undefined,
    path: typeof path === 'string' ? path : undefined,
  }),
  component: lazyRouteComponent(() => import('./live/join-screen.tsx'), 'JoinScreen'),
});

const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-layout.tsx'), 'SettingsLayout'),
});
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile' });
  },
});
const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyRouteComponent(() => import('./settings/profile-screen.tsx'), 'ProfileScreen'),
});
const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(() => import('./settings/security-screen.tsx'), 'SecurityScreen'),
});
const keys = createRoute({
  getParentRoute: () => settings,
  path: '/keys',
  component: lazyRouteComponent(() => import('./settings/keys-screen.tsx'), 'KeysScreen'),
});
const services = createRoute({
  getParentRoute: () => settings,
  path: '/services',
  component: lazyRouteComponent(() => import('./settings/services-screen.tsx'), 'ServicesScreen'),
});
const oauthApps = createRoute({
  getParentRoute: () => settings,
  path: '/apps',
  component: lazyRouteComponent(() => import('./settings/oauth-apps-screen.tsx'), 'OauthAppsScreen'),
});
const oauthApp = createRoute({
  getParentRoute: () => settings,
  path: '/apps/$appId',
  component: lazyRouteComponent(() => import('./settings/oauth-app-screen.tsx'), 'OauthAppScreen'),
});
const authorizedApps = createRoute({
  getParentRoute: () => settings,
  path: '/authorized',
  component: lazyRouteComponent(() => import('./settings/authorized-apps-screen.tsx'), 'AuthorizedAppsScreen'),
});
const usage = createRoute({
  getParentRoute: () => settings,
  path: '/usage',
  component: lazyRouteComponent(() => import('./settings/usage-screen.tsx'), 'UsageScreen'),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  validateSearch: (search: Record<string, unknown>): { page?: number | undefined } => ({ page: pageIn(search.page) }),
  component: lazyRouteComponent(() => import('./settings/audit-screen.tsx'), 'AuditScreen'),
});
const admin = createRoute({
  getParentRoute: () => inside,
  path: '/admin',
  component: lazyRouteComponent(() => import('./admin/admin-layout.tsx'), 'AdminLayout'),
});
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users' });
  },
});
const adminUsers = createRoute({
  getParentRoute: () => admin,
  path: '/users',
  validateSearch: userSearch,
  component: lazyRouteComponent(() => import('./admin/users-screen.tsx'), 'UsersScreen'),
});
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: '/users/$userId',
  component: lazyRouteComponent(() => import('./admin/user-screen.tsx'), 'UserScreen'),
});
const adminPlans = createRoute({
  getParentRoute: () => admin,
  path: '/plans',
  component: lazyRouteComponent(() => import('./admin/plans-screen.tsx'), 'PlansScreen'),
});
const adminHealth = createRoute({
  getParentRoute: () => admin,
  path: '/health',
  component: lazyRouteComponent(() => import('./admin/health-screen.tsx'), 'HealthScreen'),
});
const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./admin/everybody-screen.tsx'), 'EverybodyScreen'),
});
type WelcomeSearch = { project?: string | undefined; deployment?: string | undefined };
const welcome = createRoute({
  getParentRoute: () => inside,
  path: '/welcome',
  validateSearch: ({ project, deployment }: Record<string, unknown>): WelcomeSearch => ({
    project: typeof project === 'string' ? project : undefined,
    deployment: typeof deployment === 'string' ? deployment : undefined,
  }),
  component: lazyRouteComponent(() => import('./welcome/welcome-screen.tsx'), 'WelcomeScreen'),
});

const routeTree = root.addChildren([
  home,
  signIn,
  signUp,
  forgotPassword,
  resetPassword,
  verifyEmail,
  inside.addChildren([
    projects,
    newProject,
    project.addChildren([
      projectHome,
      files,
      history,
      commit,
      deployments,
      deployment,
      people,
      projectWebhooks,
      projectSettings,
    ]),
    invitations,
    invitation,
    webhooks,
    newWebhook,
    webhook.addChildren([webhookHome, deliveries, delivery, figures, webhookSettings]),
    join,
    settings.addChildren([
      settingsHome,
      profile,
      security,
      keys,
      services,
      oauthApps,
      oauthApp,
      authorizedApps,
      usage,
      audit,
    ]),
    admin.addChildren([adminHome, adminUsers, adminUser, adminPlans, adminHealth, adminAudit]),
    welcome,
  ]),
]);

export function newRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultErrorComponent: ErrorScreen,
    defaultNotFoundComponent: NotFoundScreen,
    defaultPendingComponent: Loading,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
