variables {
  location   = "eu-fra"
  nats_url   = "tls://bus.example.org:4222"
  nkey       = "SUAEXAMPLE\n"
  repository = "https://git.example.org/vedette.git"
  settings   = { VEDETTE_RESOLVERS = "192.0.2.53" }
}

run "renders" {
  command = plan

  assert {
    condition     = yamldecode(output.user_data).write_files[1].content == base64encode("SUAEXAMPLE\n")
    error_message = "the key is written as it is"
  }
  assert {
    condition     = strcontains(base64decode(yamldecode(output.user_data).write_files[0].content), "VEDETTE_LOCATION=eu-fra\n")
    error_message = "the location is set"
  }
  assert {
    condition     = strcontains(base64decode(yamldecode(output.user_data).write_files[0].content), "VEDETTE_RESOLVERS=192.0.2.53\n")
    error_message = "further settings are set"
  }
}

run "refuses_a_bad_location" {
  command = plan
  variables {
    location = "eu fra"
  }
  expect_failures = [var.location]
}
