terraform {
  required_version = ">= 1.7"
}

locals {
  environment = join("\n", concat(
    [
      "VEDETTE_LOCATION=${var.location}",
      "VEDETTE_NATS_URL=${var.nats_url}",
      "VEDETTE_NATS_CREDS=/etc/vedette/agent.nkey",
    ],
    [for name, value in var.settings : "${name}=${value}"],
  ))
}

output "user_data" {
  description = "Cloud-init for a Debian 12 machine that becomes one agent."
  sensitive   = true
  value = templatefile("${path.module}/cloud-init.yaml.tftpl", {
    environment = base64encode("${local.environment}\n")
    nkey        = base64encode(var.nkey)
    repository  = var.repository
    ref         = var.ref
  })
}
