variables {
  location            = "eu-fra"
  nats_url            = "tls://bus.example.org:4222"
  credentials_command = "secret-store get 'vedette agent'"
  repository          = "https://git.example.org/vedette.git"
  commit              = "0123456789abcdef0123456789abcdef01234567"
  settings            = { VEDETTE_RESOLVERS = "192.0.2.53" }
}

run "renders" {
  command = plan

  assert {
    condition = { for file in yamldecode(output.user_data).write_files : file.path => file.permissions } == {
      "/etc/vedette/agent.env"                               = "0600"
      "/etc/systemd/system/vedette-agent-key.service"        = "0644"
      "/etc/systemd/system/vedette-agent.service.d/key.conf" = "0644"
      "/usr/local/sbin/vedette-agent-key"                    = "0755"
      "/usr/local/sbin/vedette-install"                      = "0755"
    }
    error_message = "every file is there, and none of them is the key"
  }
  assert {
    condition = { for file in yamldecode(output.user_data).write_files : file.path => base64decode(file.content) }["/etc/vedette/agent.env"] == join("\n", [
      "VEDETTE_LOCATION=eu-fra", "VEDETTE_NATS_URL=tls://bus.example.org:4222", "VEDETTE_RESOLVERS=192.0.2.53", "",
    ])
    error_message = "the settings are set"
  }
  assert {
    condition     = strcontains({ for file in yamldecode(output.user_data).write_files : file.path => base64decode(file.content) }["/usr/local/sbin/vedette-agent-key"], "\nsecret-store get 'vedette agent'\n")
    error_message = "the key is fetched by the command"
  }
  assert {
    condition     = strcontains({ for file in yamldecode(output.user_data).write_files : file.path => base64decode(file.content) }["/usr/local/sbin/vedette-install"], "git checkout --detach '0123456789abcdef0123456789abcdef01234567'")
    error_message = "the commit is checked out"
  }
}

run "refuses_a_bad_location" {
  command = plan
  variables {
    location = "eu fra"
  }
  expect_failures = [var.location]
}

run "refuses_what_may_move" {
  command = plan
  variables {
    commit = "main"
  }
  expect_failures = [var.commit]
}

run "refuses_the_key_itself" {
  command = plan
  variables {
    credentials_command = "echo SUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
  }
  expect_failures = [var.credentials_command]
}
