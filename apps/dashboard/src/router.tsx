import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type ResolveFullPath,
  type ResolveId,
  redirect,
} from '@tanstack/react-router';
import { allProjectsSearch, auditSearch, userSearch } from './admin/admin-search.ts';
import { hasProjects, projectQuery } from './api/project.ts';
import { sessionQuery } from './api/session.ts';
import { deploymentsSearch, logSearch } from './deployments/deployments-search.ts';
import { integerIn, oneOf, pageIn, searchOf, stringIn, tokenIn, trueIn } from './kit/address.ts';
import { ErrorScreen, NotFoundScreen } from './kit/error-screen.tsx';
import { Loading } from './kit/loading.tsx';
import { newRequestSearch, requestSearch, requestsSearch, reviewsSearch } from './merge-requests/requests-search.ts';
import { exploreSearch, newProjectSearch, projectSearch } from './projects/project-search.ts';
import { Inside } from './shell/inside.tsx';
import { OfflineBanner } from './shell/offline-banner.tsx';
import { ownPlace } from './sign-in/after-sign-in.ts';
import { deliveriesSearch, figuresSearch, newWebhookSearch, webhooksSearch } from './webhooks/webhooks-search.ts';

/**
 * The table of contents: every screen, its URL, and the folder that it is loaded from on first use. This file is not
 * split as it grows, because the tree at its end defines all URLs and their types.
 */
const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <OfflineBanner />
      <Outlet />
    </>
  ),
});

/** Screens whose styles belong to the first load or to the frame of a project, so they need not wait for them. */
const seenFirst: ReadonlySet<string> = new Set(['/sign-in', '/projects', '/overview']);

/** Makes a screen wait for its styles, and not only for its code. */
const withAllStyles =
  <Screens,>(load: () => Promise<Screens>) =>
  async (): Promise<Screens> => {
    const [screens] = await Promise.all([load(), import('./shell/all-styles.ts')]);
    return screens;
  };

/** A screen below another route; `search` reads its search parameters. */
function screen<
  Parent extends AnyRoute,
  const Path extends string,
  Screens extends Record<string, unknown>,
  Search = undefined,
>(parent: Parent, path: Path, load: () => Promise<Screens>, name: string & keyof Screens, search?: Search) {
  type FullPath = ResolveFullPath<Parent, Path>;
  type Id = ResolveId<Parent, string, Path>;
  const component = lazyRouteComponent((seenFirst.has(path) ? load : withAllStyles(load)) as never, name as never);
  // The types of these options are known only where a screen is declared.
  const options = { getParentRoute: () => parent, path, component, validateSearch: search } as never;
  return createRoute<unknown, Parent, Path, FullPath, string, Id, Search>(options);
}

const withNext = searchOf({ next: ownPlace });
const signInSearch = searchOf({ next: ownPlace, ended: trueIn });
const usageSearch = searchOf({ days: oneOf(90) });
const withPage = searchOf({ page: pageIn });
const filesSearch = searchOf({
  ref: tokenIn,
  path: stringIn,
  line: integerIn,
  session: stringIn,
  preview: stringIn,
  run: trueIn,
  /** A thread of a merge request for this branch, or `all` for the list of its threads. */
  thread: stringIn,
  /** The branch into which the changes on `ref` are to be merged. */
  target: tokenIn,
});
const historySearch = searchOf({ path: stringIn, ref: tokenIn, page: pageIn });
const withRef = searchOf({ ref: tokenIn });
const compareSearch = searchOf({ base: tokenIn, head: tokenIn });
const notificationsSearch = searchOf({ unread: trueIn, page: pageIn });
const joinSearch = searchOf({ invite: tokenIn, guest: trueIn, path: stringIn });
const welcomeSearch = searchOf({ project: stringIn, deployment: stringIn });

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
    throw redirect({ to: '/projects/$projectId/overview', params });
  },
});

const webhook = screen(inside, '/webhooks/$webhookId', () => import('./webhooks/webhook-layout.tsx'), 'WebhookLayout');
const webhookHome = createRoute({
  getParentRoute: () => webhook,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/webhooks/$webhookId/deliveries', params });
  },
});

const settings = screen(inside, '/settings', () => import('./settings/settings-layout.tsx'), 'SettingsLayout');
const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile' });
  },
});
const admin = screen(inside, '/admin', () => import('./admin/admin-layout.tsx'), 'AdminLayout');
const adminHome = createRoute({
  getParentRoute: () => admin,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/admin/users' });
  },
});

const routeTree = root.addChildren([
  home,
  screen(root, '/sign-in', () => import('./sign-in/sign-in-screen.tsx'), 'SignInScreen', signInSearch),
  screen(root, '/sign-up', () => import('./sign-in/sign-up-screen.tsx'), 'SignUpScreen', withNext),
  screen(root, '/forgot-password', () => import('./sign-in/password-screens.tsx'), 'ForgotPasswordScreen'),
  screen(root, '/reset-password', () => import('./sign-in/password-screens.tsx'), 'ResetPasswordScreen'),
  screen(root, '/verify-email', () => import('./sign-in/verify-email-screen.tsx'), 'VerifyEmailScreen'),
  inside.addChildren([
    screen(inside, '/projects', () => import('./projects/projects-screen.tsx'), 'ProjectsScreen', projectSearch),
    screen(inside, '/explore', () => import('./explore/explore-screen.tsx'), 'ExploreScreen', exploreSearch),
    screen(inside, '/trash', () => import('./trash/trash-screen.tsx'), 'TrashScreen', withPage),
    screen(inside, '/new', () => import('./projects/new-project-screen.tsx'), 'NewProjectScreen', newProjectSearch),
    project.addChildren([
      projectHome,
      screen(project, '/overview', () => import('./overview/overview-screen.tsx'), 'OverviewScreen'),
      screen(project, '/files', () => import('./editor/files-screen.tsx'), 'FilesScreen', filesSearch),
      screen(project, '/history', () => import('./history/history-screen.tsx'), 'HistoryScreen', historySearch),
      screen(project, '/history/$sha', () => import('./history/commit-screen.tsx'), 'CommitScreen', withRef),
      screen(project, '/branches', () => import('./branches/branches-screen.tsx'), 'BranchesScreen'),
      screen(
        project,
        '/branches/compare',
        () => import('./branches/compare-screen.tsx'),
        'CompareScreen',
        compareSearch,
      ),
      screen(
        project,
        '/merge-requests',
        () => import('./merge-requests/requests-screen.tsx'),
        'RequestsScreen',
        requestsSearch,
      ),
      screen(
        project,
        '/merge-requests/new',
        () => import('./merge-requests/new-request-screen.tsx'),
        'NewRequestScreen',
        newRequestSearch,
      ),
      screen(
        project,
        '/merge-requests/$number',
        () => import('./merge-requests/request-screen.tsx'),
        'RequestScreen',
        requestSearch,
      ),
      screen(
        project,
        '/deployments',
        () => import('./deployments/deployments-screen.tsx'),
        'DeploymentsScreen',
        deploymentsSearch,
      ),
      screen(
        project,
        '/deployments/$deploymentId',
        () => import('./deployments/deployment-screen.tsx'),
        'DeploymentScreen',
        logSearch,
      ),
      screen(project, '/domains', () => import('./domains/domains-screen.tsx'), 'DomainsScreen'),
      screen(project, '/people', () => import('./people/people-screen.tsx'), 'PeopleScreen'),
      screen(
        project,
        '/webhooks',
        () => import('./webhooks/project-webhooks-screen.tsx'),
        'ProjectWebhooksScreen',
        withPage,
      ),
      screen(project, '/connect', () => import('./connect/connect-screens.tsx'), 'ProjectConnectScreen'),
      screen(project, '/settings', () => import('./project/settings-screen.tsx'), 'ProjectSettingsScreen'),
    ]),
    screen(
      inside,
      '/notifications',
      () => import('./notifications/notifications-screen.tsx'),
      'NotificationsScreen',
      notificationsSearch,
    ),
    screen(inside, '/reviews', () => import('./merge-requests/reviews-screen.tsx'), 'ReviewsScreen', reviewsSearch),
    screen(inside, '/invitations', () => import('./people/invitations-screen.tsx'), 'InvitationsScreen'),
    screen(inside, '/invitations/$token', () => import('./people/invitation-screen.tsx'), 'InvitationScreen'),
    screen(inside, '/webhooks', () => import('./webhooks/webhooks-screen.tsx'), 'WebhooksScreen', webhooksSearch),
    screen(
      inside,
      '/webhooks/new',
      () => import('./webhooks/new-webhook-screen.tsx'),
      'NewWebhookScreen',
      newWebhookSearch,
    ),
    webhook.addChildren([
      webhookHome,
      screen(
        webhook,
        '/deliveries',
        () => import('./webhooks/deliveries-screen.tsx'),
        'DeliveriesScreen',
        deliveriesSearch,
      ),
      screen(webhook, '/deliveries/$deliveryId', () => import('./webhooks/delivery-screen.tsx'), 'DeliveryScreen'),
      screen(webhook, '/figures', () => import('./webhooks/figures-screen.tsx'), 'FiguresScreen', figuresSearch),
      screen(webhook, '/settings', () => import('./webhooks/webhook-settings-screen.tsx'), 'WebhookSettingsScreen'),
    ]),
    screen(inside, '/join/$sessionId', () => import('./guests/join-screen.tsx'), 'JoinScreen', joinSearch),
    settings.addChildren([
      settingsHome,
      screen(settings, '/profile', () => import('./settings/profile-screen.tsx'), 'ProfileScreen'),
      screen(settings, '/security', () => import('./settings/security-screen.tsx'), 'SecurityScreen'),
      screen(settings, '/connect', () => import('./connect/connect-screens.tsx'), 'ConnectScreen'),
      screen(settings, '/keys', () => import('./settings/keys-screen.tsx'), 'KeysScreen'),
      screen(settings, '/services', () => import('./settings/services-screen.tsx'), 'ServicesScreen'),
      screen(settings, '/apps', () => import('./settings/oauth-apps-screen.tsx'), 'OauthAppsScreen'),
      screen(settings, '/apps/$appId', () => import('./settings/oauth-app-screen.tsx'), 'OauthAppScreen'),
      screen(settings, '/authorized', () => import('./settings/authorized-apps-screen.tsx'), 'AuthorizedAppsScreen'),
      screen(settings, '/usage', () => import('./settings/usage-screen.tsx'), 'UsageScreen', usageSearch),
      screen(settings, '/audit', () => import('./settings/audit-screen.tsx'), 'AuditScreen', withPage),
    ]),
    admin.addChildren([
      adminHome,
      screen(admin, '/users', () => import('./admin/users-screen.tsx'), 'UsersScreen', userSearch),
      screen(admin, '/users/$userId', () => import('./admin/user-screen.tsx'), 'UserScreen'),
      screen(
        admin,
        '/projects',
        () => import('./admin/all-projects-screen.tsx'),
        'AllProjectsScreen',
        allProjectsSearch,
      ),
      screen(admin, '/plans', () => import('./admin/plans-screen.tsx'), 'PlansScreen'),
      screen(admin, '/usage', () => import('./admin/usage-screen.tsx'), 'InstallationUsageScreen', usageSearch),
      screen(admin, '/health', () => import('./admin/health-screen.tsx'), 'HealthScreen'),
      screen(admin, '/audit', () => import('./admin/everybody-screen.tsx'), 'EverybodyScreen', auditSearch),
    ]),
    screen(inside, '/welcome', () => import('./welcome/welcome-screen.tsx'), 'WelcomeScreen', welcomeSearch),
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
    // The tabs show the next screen immediately, so the content must not show the previous screen for long.
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof newRouter>;
  }
}
