terraform {
  required_version = ">= 1.9"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 5.0, < 8.0"
    }
  }
}

locals {
  # Names here have no capitals and no underscores, and begin with a letter.
  name = "vedette-agent-${replace(lower(var.location), "_", "-")}"
}

data "google_compute_zones" "usable" {
  region = var.region
  status = "UP"
}

module "agent" {
  source     = "../agent"
  location   = var.location
  nats_url   = var.nats_url
  bus_ca     = var.bus_ca
  artifact   = var.artifact
  node       = var.node
  repository = var.repository
  commit     = var.commit
  settings   = var.settings
  packages   = ["python3"]
  # The metadata service is the machine's resolver, too: the agent refuses it by itself, and its HTTP wants a header besides.
  forbidden_addresses = []
  credentials_command = templatefile("${path.module}/key.sh.tftpl", { secret = google_secret_manager_secret.key.id })
}

# A network of its own, with no rule for what comes in: Google Cloud then lets nothing in, and everything out.
resource "google_compute_network" "agent" {
  name                    = local.name
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "agent" {
  name             = local.name
  region           = var.region
  network          = google_compute_network.agent.id
  ip_cidr_range    = "10.86.0.0/24"
  stack_type       = "IPV4_IPV6"
  ipv6_access_type = "EXTERNAL"
}

resource "google_service_account" "agent" {
  # At most 30 characters.
  account_id   = "vedette-${substr(sha256(var.location), 0, 12)}"
  display_name = "Vedette agents at ${var.location}"
}

# The place alone. What is in it never passes through Terraform: `gcloud secrets versions add`, as the README says.
resource "google_secret_manager_secret" "key" {
  secret_id = local.name
  labels    = var.labels

  replication {
    auto {}
  }
}

# All that the machine may do at Google Cloud: read this one secret.
resource "google_secret_manager_secret_iam_member" "key" {
  secret_id = google_secret_manager_secret.key.id
  role      = "roles/secretmanager.secretAccessor"
  member    = "serviceAccount:${google_service_account.agent.email}"
}

resource "google_compute_instance" "agent" {
  for_each = toset([for number in range(var.instances) : tostring(number + 1)])

  # Metadata can be changed under a machine that runs, and it would not look at it again: a new name makes a new machine.
  name         = "${local.name}-${each.key}-${module.agent.short_hash}"
  zone         = data.google_compute_zones.usable.names[(tonumber(each.key) - 1) % length(data.google_compute_zones.usable.names)]
  machine_type = var.machine_type
  labels       = var.labels

  boot_disk {
    initialize_params {
      # Debian's images of Google have no cloud-init. Disks are always encrypted here.
      image = "ubuntu-os-cloud/ubuntu-2404-lts-amd64"
      size  = 12
      type  = "pd-balanced"
    }
  }

  network_interface {
    subnetwork = google_compute_subnetwork.agent.id
    stack_type = "IPV4_IPV6"

    access_config {
      network_tier = "PREMIUM"
    }

    ipv6_access_config {
      network_tier = "PREMIUM"
    }
  }

  metadata = {
    user-data              = module.agent.user_data
    block-project-ssh-keys = "true"
    enable-oslogin         = "true"
    serial-port-enable     = "false"
  }

  service_account {
    email  = google_service_account.agent.email
    scopes = ["cloud-platform"] # what it may do is what IAM gives to this account: one secret
  }

  shielded_instance_config {
    enable_secure_boot          = true
    enable_vtpm                 = true
    enable_integrity_monitoring = true
  }

  lifecycle {
    create_before_destroy = true
    # A newer image is for the next machine: this one updates itself.
    ignore_changes = [boot_disk[0].initialize_params[0].image]
  }

  # Its account can read the key from the first boot on.
  depends_on = [google_secret_manager_secret_iam_member.key]
}
