import type { Subject } from '@vedette/operations/kit';

/** The tag of each subject, in the order of the reference page. */
const TAGS: Readonly<Record<Subject | 'operators', { name: string; description: string }>> = {
  locations: { name: 'From many places', description: 'Agents in several locations measure; the report has one entry for each location.' },
  dns: { name: 'DNS', description: 'Records of a name, and their signatures.' },
  networks: { name: 'Addresses and networks', description: 'IP addresses, their reputation, and autonomous systems.' },
  domains: { name: 'Domains', description: 'Registration and reputation of domains.' },
  mail: { name: 'Mail', description: 'Mail set-ups of domains, mail addresses, and messages.' },
  web: { name: 'Sites and URLs', description: 'Sites, pages, redirects, and the requests that a page makes.' },
  rendering: {
    name: 'Screenshots and PDFs',
    description: 'Pages and HTML as pictures and documents. A renderer with a browser makes them.',
  },
  phones: { name: 'Phone numbers', description: 'Validity and kind of telephone numbers.' },
  service: { name: 'Service', description: 'Operations about the service itself.' },
  operators: {
    name: 'Operators',
    description:
      'The state of the service, and keys. For keys of operators; every key may read keys and usage of its own account, if it is not restricted to other operations.',
  },
};

/** The tags of the API description. */
export const tags = (): object[] => Object.values(TAGS);

/** The name of a subject's tag. */
export const tagOf = (subject: keyof typeof TAGS): string => TAGS[subject].name;
