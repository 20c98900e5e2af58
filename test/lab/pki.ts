import type { Certificate } from './plan.ts';
import { type World, WORLD_DIR } from './world.ts';

const DIR = `${WORLD_DIR}/pki`;

/** The lab's root, in PEM: what `VEDETTE_CA_FILE` and `curl --cacert` take. */
export const CA_FILE = `${DIR}/root.pem`;

export const certificateFile = (certificate: Certificate): string => `${DIR}/${fileName(certificate)}.pem`;
export const KEY_FILE = `${DIR}/leaf.key`;

// A server of TLS 1.0 has a good certificate; only its protocol is old.
const fileName = (certificate: Certificate): string => (certificate === 'tls1.0' ? 'good' : certificate);

const NAMES = 'DNS:lab-good.com,DNS:*.lab-good.com,DNS:*.lab-tls.com,DNS:*.lab-plain.com,DNS:www.lab-regions.com';
const LEAF_VALIDITY = { from: 'now - 1 day', to: 'now + 30 days' };

/** Issues the lab's root, an intermediate, and one certificate for each way to be right or wrong. */
export async function buildPki(world: World): Promise<void> {
  const leaf = (name: Certificate, { from, to } = LEAF_VALIDITY, names = NAMES, chain = 'intermediate.pem') =>
    `leaf ${name} '${from}' '${to}' '${names}' ${chain}`;
  world.write(`${DIR}/ca.cnf`, CA_CONFIG);
  const script = [
    SETUP,
    leaf('good'),
    leaf('expired', { from: '2020-01-01', to: '2020-02-01' }),
    leaf('not-yet-valid', { from: 'now + 20 days', to: 'now + 40 days' }),
    leaf('wrong-name', LEAF_VALIDITY, 'DNS:somebody-else.com'),
    leaf('missing-intermediate', LEAF_VALIDITY, NAMES, '/dev/null'),
    `openssl req -x509 -key leaf.key -subj /CN=self-signed -days 30 -addext 'subjectAltName=${NAMES}' -out self-signed.pem`,
    'wait',
  ].join('\n');
  await world.run(undefined, ['bash', '-ec', script]);
}

const CA_CONFIG = `
[lab]
database = ${DIR}/index.txt
new_certs_dir = ${DIR}/issued
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
email_in_dn = no
[any]
commonName = supplied
`;

// Dates go through \`openssl ca\`: the only way with OpenSSL 3.0 to issue what is already or not yet valid.
const SETUP = `
cd ${DIR}; mkdir issued; : > index.txt
utc() { date -u -d "$1" +%Y%m%d%H%M%SZ; }
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
key root; key intermediate; key leaf
openssl req -x509 -key root.key -subj '/CN=Vedette Lab Root' -days 3650 -addext keyUsage=critical,keyCertSign,cRLSign -out root.pem
openssl req -new -key intermediate.key -subj '/CN=Vedette Lab Intermediate' |
  openssl x509 -req -CA root.pem -CAkey root.key -CAcreateserial -days 1825 -out intermediate.pem \\
    -extfile <(printf 'basicConstraints=critical,CA:TRUE,pathlen:0\\nkeyUsage=critical,keyCertSign,cRLSign\\n') 2>/dev/null
leaf() { # name from to names chain
  openssl req -new -key leaf.key -subj "/CN=$1" -out $1.csr
  openssl ca -batch -notext -config ca.cnf -name lab -cert intermediate.pem -keyfile intermediate.key -in $1.csr -out $1.leaf \\
    -startdate $(utc "$2") -enddate $(utc "$3") 2>$1.log \\
    -extfile <(printf 'basicConstraints=critical,CA:FALSE\\nextendedKeyUsage=serverAuth\\nsubjectAltName=%s\\n' "$4") || { cat $1.log >&2; exit 1; }
  cat $1.leaf $5 > $1.pem
}
`;
