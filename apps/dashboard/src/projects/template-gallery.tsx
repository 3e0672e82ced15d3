import type { Template } from '@bottega/contract';
import { Anchor, Badge, Button, Card, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Loading } from '../kit/loading.tsx';
import { Empty } from '../kit/page.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { categoryWords } from './built-in.words.ts';
import { newProjectWords } from './new-project.words.ts';
import { TemplatePicture } from './template-picture.tsx';
import { useTemplates } from './worded-templates.ts';

/** The URL of a preview contains the public host. It is opened on the host of this page instead. */
const previewHere = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

export function TemplateGallery({ choose }: { choose: (template: Template) => void }) {
  const words = useWords(newProjectWords);
  const [category, setCategory] = useState('');
  const ofCategories: Partial<Record<string, string>> = useWords(categoryWords);
  const templates = useTemplates();
  if (templates.error) return <Refusal error={templates.error} retry={templates.refetch} />;
  if (!templates.data) return <Loading />;
  const all = templates.data;
  if (all.length === 0) return <Empty title={words.noTemplates} hint={words.noTemplatesHint} />;
  const categories = [...new Set(all.map((template) => template.category))].toSorted();
  const shown = all
    .filter((template) => category === '' || template.category === category)
    .toSorted((a, b) => Number(b.featured) - Number(a.featured));
  return (
    <Stack>
      <NativeSelect
        aria-label={words.category}
        value={category}
        onChange={(event) => setCategory(event.currentTarget.value)}
        data={[
          { value: '', label: words.allCategories },
          ...categories.map((value) => ({ value, label: ofCategories[value] ?? value })),
        ]}
        w={200}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {shown.map((template) => (
          <Card key={template.id} withBorder padding="md">
            <Card.Section mb="sm">
              <TemplatePicture template={template} />
            </Card.Section>
            <Stack gap="xs" h="100%">
              <Group gap={6}>
                <Text fw={600}>{template.name}</Text>
                <Badge size="xs" variant="default">
                  {template.language}
                </Badge>
              </Group>
              <Text size="sm" c="dimmed" style={{ flex: 1 }}>
                {template.description}
              </Text>
              <Group justify="space-between">
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => choose(template)}
                  aria-label={`${words.use}: ${template.name}`}
                >
                  {words.use}
                </Button>
                <Anchor
                  href={previewHere(template.preview_url)}
                  target="_blank"
                  rel="noopener"
                  size="sm"
                  aria-label={`${words.preview}: ${template.name}`}
                >
                  {words.preview}
                </Anchor>
              </Group>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
