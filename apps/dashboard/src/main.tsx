import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './dashboard.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { newQueryClient } from './api/query-client.ts';
import { newRouter } from './router.tsx';
import { Preferences } from './shell/preferences.tsx';
import { contrast, theme } from './theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// Read by the package that keeps the page behind a dialog from scrolling, which writes a style of its own.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queryClient = newQueryClient();
const router = newRouter(queryClient);
const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={contrast} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <QueryClientProvider client={queryClient}>
      <Preferences>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
        </ModalsProvider>
      </Preferences>
    </QueryClientProvider>
  </MantineProvider>,
);
