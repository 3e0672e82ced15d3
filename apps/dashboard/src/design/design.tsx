import '../shell/first-styles.css';
import '../dashboard.css';
import '../shell/all-styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { newQueryClient } from '../api/query-client.ts';
import { secondFactorQuery } from '../api/second-factor.ts';
import { starsQuery } from '../api/stars.ts';
import { Content } from '../kit/page.tsx';
import Overlays from '../shell/overlays.tsx';
import { loadTextFont } from '../shell/text-font.ts';
import { contrast, theme } from '../theme.ts';
import { Parts } from './parts.tsx';
import { SideBySide } from './side-by-side.tsx';
import { Tokens } from './tokens.tsx';

/**
 * Shows all parts of the design on one page, for people who change them. Only the development server serves this page:
 * no screen imports it, so it is not in the build. Each theme is in a separate frame, because a theme applies to a
 * whole page.
 */
loadTextFont();

const shown = new URLSearchParams(location.search).get('theme');
const root = document.getElementById('root');
if (!root) throw new Error('design.html has no #root');
createRoot(root).render(
  shown === 'light' || shown === 'dark' ? <InTheme scheme={shown} /> : <SideBySide themes={['light', 'dark']} />,
);

function InTheme({ scheme }: { scheme: 'light' | 'dark' }) {
  const client = newQueryClient();
  // The data is set here, because no service answers requests of this page.
  client.setQueryData(starsQuery.queryKey, ['prj_starred']);
  client.setQueryData(secondFactorQuery.queryKey, { enabled: true, confirmed_at: null, recovery_codes_left: 8 });
  const page = () => (
    <Content width="wide">
      <Tokens />
      <Parts />
    </Content>
  );
  const router = createRouter({ routeTree: createRootRoute({ component: page }), history: createMemoryHistory() });
  return (
    <MantineProvider theme={theme} cssVariablesResolver={contrast} forceColorScheme={scheme}>
      <QueryClientProvider client={client}>
        {/* The links of the kit name the screens of the dashboard, which are not here. */}
        <RouterProvider router={router as never} />
        <Overlays />
      </QueryClientProvider>
    </MantineProvider>
  );
}
